import { CALLS_KEPT, type EventBody, type VerbCall } from '@verbslab/protocol';

/** The verbs calls of each endpoint, for `LabContext.calls`. */
export class CallLog {
  readonly #kept = new Map<string, VerbCall[]>();

  take(endpoint: string, events: readonly EventBody[]): void {
    const kept = this.#kept.get(endpoint) ?? [];
    for (const event of events) if (event.kind === 'verb') kept.push(event);
    this.#kept.set(endpoint, kept.length > CALLS_KEPT ? kept.slice(-CALLS_KEPT) : kept);
  }

  /** Each call once. */
  readonly calls = (endpoint: string): VerbCall[] => {
    const kept = this.#kept.get(endpoint) ?? [];
    this.#kept.delete(endpoint);
    return kept;
  };
}
