/** What is wrong with a filter: where, why, and what to do. The only error that this folder throws. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  constructor(
    /** What is wrong, as a sentence. */
    readonly what: string,
    /** What to do, as a sentence. */
    readonly cure: string,
    /** First character that it is about, and one past the last. */
    readonly at: number,
    readonly end: number,
  ) {
    super(`${what} ${cure}`);
  }
}
