import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { ProgramEvent } from '@verbslab/protocol';
import { standstill, standstillLine, StillFacts, type StillAnswer } from '@verbslab/report/standstill';
import type { FeedStandstill } from './messages.js';
import type { TakeStandstill } from './process-standstill.js';
import { StandstillPlaces } from './standstill-places.js';

const LOOK_MS = 500;
const DYING_MS = 50;

/** State of a process, a letter as in proc_pid_stat(5); null if it is gone. */
function stateOf(pid: string): string | null {
  try {
    return /^\d+ \(.*\) (\w) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

interface Watched {
  /** Writes an event of the run. */
  tell: (event: ProgramEvent) => void;
  /** Time on the run's clock, ns. */
  now: () => number;
  /** Time without progress after which the program is stuck, ns; null: it is never said. */
  after: number | null;
  say: (line: string) => void;
}

/** Says what the processes of a command wait for, once per reason, and records it. */
export class StandstillWatch {
  readonly #watched: Watched;
  readonly #facts = new StillFacts();
  readonly #places = new StandstillPlaces();
  readonly #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();
  #said = '';
  /** Processes that were stopped when they were looked at last. */
  readonly #stopped = new Set<string>();

  constructor(watched: Watched) {
    this.#watched = watched;
    if (watched.after !== null) this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  event(event: ProgramEvent): void {
    this.#facts.event(event);
  }

  readonly take: TakeStandstill = ({ endpoint, t, still, over }, at) => {
    const time = t ?? this.#watched.now();
    // In order, although the look-up of source lines takes its time.
    this.#written = this.#written.then(async () => {
      const placed = await this.#places.placed(await this.#withStopped(endpoint, still), at);
      this.#watched.tell({ kind: 'standstill', endpoint, t: time, ...placed, ...(over ? { over } : {}) });
    });
  };

  /** Adds that the process of a silent peer is stopped. The device cannot see that. */
  async #withStopped(endpoint: string, still: FeedStandstill): Promise<FeedStandstill> {
    const qps: FeedStandstill['qps'] = [];
    for (const qp of still.qps) {
      const owner = qp.send.queued > 0 && !qp.send.rnrNow ? this.#facts.ownerOfPeer(endpoint, qp) : null;
      const pid = /^pid (\d+)$/.exec(owner ?? '')?.[1];
      if (pid === undefined || !(await this.#isStopped(pid))) qps.push(qp);
      else
        qps.push({
          ...qp,
          why: `its process, pid ${pid}, is stopped`,
          cure: `Let the process go on: kill -CONT ${pid}.`,
        });
    }
    return { ...still, qps };
  }

  /** True if the process is stopped (SIGSTOP, a debugger), or was until it was gone. */
  async #isStopped(pid: string): Promise<boolean> {
    let state = stateOf(pid);
    if (state === 'T' || state === 't') this.#stopped.add(pid);
    if (!this.#stopped.has(pid)) return false;
    // A stopped process that is killed runs to its end.
    if (state === 'R') {
      await setTimeout(DYING_MS);
      state = stateOf(pid);
    }
    if (state !== null && 'RSDI'.includes(state)) this.#stopped.delete(pid);
    return this.#stopped.has(pid);
  }

  #answer(ended: boolean): StillAnswer | null {
    const { after, now } = this.#watched;
    const answer = standstill(this.#facts, now(), { ended, ...(after === null ? {} : { after }) });
    return answer?.state === 'stuck' ? answer : null;
  }

  #look(): void {
    const answer = this.#answer(false);
    if (answer === null) return;
    const reason = `${answer.kind} ${answer.endpoint} ${answer.qpn}`;
    if (reason === this.#said) return;
    this.#said = reason;
    this.#watched.say(standstillLine(answer));
  }

  /** Ends the watch once everything is recorded. How the command stood at its end, if it was stuck. */
  async end(): Promise<string | null> {
    clearInterval(this.#timer);
    await this.#written;
    const answer = this.#answer(true);
    return answer && standstillLine(answer);
  }
}
