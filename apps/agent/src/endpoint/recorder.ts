import { toErrorInfo, type EmittedEvent, type EventBody } from '@verbslab/protocol';

type Timed = EmittedEvent & { t: number };
/** Arguments and results as readers see them: JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

/** Records the events of the endpoint, on the run's clock, and sends them on in batches. */
export class Recorder {
  readonly #send: (events: Timed[]) => void;
  #clock = 0n;
  #events: Timed[] = [];
  #scheduled = false;
  #held = true;

  constructor(send: (events: Timed[]) => void) {
    this.#send = send;
  }

  /** CLOCK_MONOTONIC at which the run's clock reads 0. */
  setClock(clock: bigint): void {
    this.#clock = clock;
  }

  /** A CLOCK_MONOTONIC time on the run's clock, ns. A time before the run counts as its start. */
  at(monotonicNs: bigint): number {
    return Math.max(0, Number(monotonicNs - this.#clock));
  }

  now(): number {
    return this.at(process.hrtime.bigint());
  }

  /** Lets events go: those of the opening wait for the first command, so that they stand in its step. */
  release(): void {
    this.#held = false;
    this.flush();
  }

  emit(body: EventBody, t = this.now()): void {
    this.#events.push({ ...body, t });
    if (this.#scheduled || this.#held) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Sends the waiting events; called before every answer, so that events never come after it. */
  flush(): void {
    this.#scheduled = false;
    if (this.#held || this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#send(events);
  }

  /** Makes one call and reports it: arguments, result or error, and how long it took. */
  verb<T>(call: string, args: JsonObject, body: () => T, shown?: (result: T) => Json): T {
    const begin = process.hrtime.bigint();
    try {
      const result = body();
      this.#verb(call, args, begin, shown ? { result: shown(result) } : {});
      return result;
    } catch (error) {
      this.#verb(call, args, begin, { error: toErrorInfo(error) });
      throw error;
    }
  }

  #verb(call: string, args: JsonObject, begin: bigint, outcome: object): void {
    const durationNs = Number(process.hrtime.bigint() - begin);
    this.emit({ kind: 'verb', call, args, durationNs, ...outcome }, this.at(begin));
  }
}
