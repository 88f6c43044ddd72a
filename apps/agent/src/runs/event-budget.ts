/** Most events that one endpoint may add to a run: 15 rounds of 512 connections (connection-storm) are below it. */
const MAX_EVENTS = 200_000;
/** Most characters of their JSON. */
const MAX_CHARS = 64 * 1024 * 1024;

/**
 * Limit on the events that one endpoint may add to the record of a run. The limit of the run alone would not do: many
 * small events take more memory and time than their bytes say.
 */
export class EventBudget {
  #events = 0;
  #chars = 0;

  /** Number of events that the endpoint may still add. */
  get left(): number {
    return this.#chars < MAX_CHARS ? MAX_EVENTS - this.#events : 0;
  }

  spend(chars: number): void {
    this.#events++;
    this.#chars += chars;
  }
}
