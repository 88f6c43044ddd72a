/** An error in a filter: its place, the reason and the remedy. The only error that this folder throws. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  constructor(
    /** Reason, as a sentence. */
    readonly what: string,
    /** Remedy, as a sentence. */
    readonly cure: string,
    /** First character concerned, and the one after the last. */
    readonly at: number,
    readonly end: number,
  ) {
    super(`${what} ${cure}`);
  }
}
