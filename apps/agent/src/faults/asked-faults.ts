import type { AgentMessageOf, Faults } from '@verbslab/protocol';

/** The outcome of a request. */
export interface FaultsTold {
  /** Processes that inject the faults now. */
  endpoints: string[];
  /** The reason if there are none. */
  why?: string;
}

/** Longest wait for an answer, ms. A process answers at once unless it is stopped. */
const ANSWER_MS = 12_000;

/** Requests for faults to the client of a command, with its answers. */
export class AskedFaults {
  readonly #send: (asked: Omit<AgentMessageOf<'program.faults'>, 'type'>) => void;
  readonly #waiting = new Map<number, (told: FaultsTold) => void>();
  #last = 0;

  constructor(send: (asked: Omit<AgentMessageOf<'program.faults'>, 'type'>) => void) {
    this.#send = send;
  }

  /**
   * Asks for faults. Never rejects, takes bounded time.
   *
   * @param endpoint one process. Absent: all processes, also later ones.
   * @param earlier the faults were set before the command took part, so faults of its own take precedence
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
