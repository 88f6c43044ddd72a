import type { FeedNoteOf, FeedReport, FeedStandstill } from './messages.js';

/** What stands still in a process; its places have no source lines yet. */
export interface UnplacedStandstill {
  endpoint: string;
  /** Time on the run's clock. Absent: now. */
  t?: number;
  still: FeedStandstill;
  /** The process has ended, by a signal or without a word. */
  over?: true;
}

/** `at`: from the process's clock to the run's. */
export type TakeStandstill = (still: UnplacedStandstill, at: (t: number) => number) => void;

const NOTHING: FeedStandstill = { qps: [], cqs: [], more: 0, others: 0 };

/** What stands still in one process, until its end. */
export class ProcessStandstill {
  readonly #tell: TakeStandstill;
  #still = NOTHING;
  #returned = false;

  constructor(tell: TakeStandstill) {
    this.#tell = tell;
  }

  take(
    endpoint: string,
    { type: _, t, ...still }: FeedNoteOf<'standstill'>,
    at: (t: number) => number,
  ): void {
    this.#still = still;
    this.#tell({ endpoint, t: at(t), still }, at);
  }

  /** The process has reported its end. One that returned from main was not stuck. */
  reported({ endedBy }: FeedReport): void {
    this.#returned = endedBy == null;
  }

  end(endpoint: string, at: (t: number) => number): void {
    if (!this.#returned) this.#tell({ endpoint, still: this.#still, over: true }, at);
    else if (this.#still !== NOTHING) this.#tell({ endpoint, still: NOTHING }, at);
  }
}
