import type { AgentMessageOf, Faults } from '@verbslab/protocol';

/** What became of a request. */
export interface FaultsTold {
  /** The processes that do it now. */
  endpoints: string[];
  /** Why there are none. */
  why?: string;
}

/** A process obeys at once; a stopped one does not. */
const ANSWER_MS = 3_000;

/** Requests for faults to the client of one command, and its answers. */
export class AskedFaults {
  readonly #send: (asked: Omit<AgentMessageOf<'program.faults'>, 'type'>) => void;
  readonly #waiting = new Map<number, (told: FaultsTold) => void>();
  #last = 0;

  constructor(send: (asked: Omit<AgentMessageOf<'program.faults'>, 'type'>) => void) {
    this.#send = send;
  }

  /**
   * Never rejects, takes bounded time.
   *
   * @param endpoint one process; absent: all, and those that come later
   * @param earlier they were set before the command took part, so faults of its own go before
   */
  ask(runId: string, endpoint: string | undefined, faults: Faults, earlier = false): Promise<FaultsTold> {
    const ask = ++this.#last;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () =>
          this.answer(ask, { endpoints: [], why: `its command did not answer within ${ANSWER_MS / 1000} s` }),
        ANSWER_MS,
      );
      this.#waiting.set(ask, (told) => {
        clearTimeout(timer);
        resolve(told);
      });
      this.#send({
        runId,
        ask,
        ...(endpoint === undefined ? {} : { endpoint }),
        faults,
        ...(earlier ? { earlier } : {}),
      });
    });
  }

  answer(ask: number, told: FaultsTold): void {
    this.#waiting.get(ask)?.(told);
    this.#waiting.delete(ask);
  }
}
