import type { LatencySnapshot } from '@verbslab/charts/data';
import { decodeHeader, isProgram, type AgentMessage } from '@verbslab/protocol';
import type { CompletionSnapshot } from '../model/completion-snapshot';
import { RunModel } from '../model/run-model';
import { AgentError, type AgentClient } from './client';
import { RunView } from './run-view';

export type SessionState = 'loading' | 'replaying' | 'live' | 'complete' | 'failed';

/** A run that a page shows: its model, the state of its stream, and the error if it could not be opened. */
export interface RunSession {
  readonly runId: string;
  /** False if the stream has no completions and packets, which pages of several runs do not show. */
  detail: boolean;
  state: SessionState;
  view: RunView | null;
  error: AgentError | null;
  users: number;
}

/** Number of runs kept in memory after the last page has left them. */
const KEEP = 2;

/**
 * Subscriptions to runs. They survive a lost connection: after the next welcome, each resumes at the first sequence
 * number that its model lacks.
 */
export class RunSessions {
  readonly #client: AgentClient;
  readonly #onChange: () => void;
  readonly #sessions = new Map<string, RunSession>();
  readonly #byNumber = new Map<number, RunSession>();
  #connected = false;

  constructor(client: AgentClient, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  get(runId: string): RunSession | undefined {
    return this.#sessions.get(runId);
  }

  /**
   * Opens a run or joins its session. Call `release` once per call. A session without detail is read again from its
   * start when a page needs the detail.
   */
  acquire(runId: string, detail = true): RunSession {
    let s = this.#sessions.get(runId);
    if (!s) {
      s = { runId, detail, state: 'loading', view: null, error: null, users: 0 };
      this.#sessions.set(runId, s);
      if (this.#connected) void this.#subscribe(s);
    } else if (detail && !s.detail) {
      s.detail = true;
      void this.#readAgain(s);
    }
    s.users++;
    return s;
  }

  release(runId: string): void {
    const s = this.#sessions.get(runId);
    if (!s) return;
    s.users--;
    const idle = [...this.#sessions.values()].filter((x) => x.users <= 0);
    for (const old of idle.slice(0, Math.max(0, idle.length - KEEP))) this.forget(old.runId);
  }

  forget(runId: string): void {
    const s = this.#sessions.get(runId);
    if (!s) return;
    this.#sessions.delete(runId);
    if (s.view) {
      const { number } = s.view.model.record;
      this.#byNumber.delete(number);
      this.#client.forget(number);
    }
    if (this.#connected && s.state !== 'failed') {
      this.#client.request('run.unsubscribe', { runId }).catch(() => undefined);
    }
  }

  welcome(): void {
    this.#connected = true;
    for (const s of this.#sessions.values()) if (s.state !== 'complete') void this.#subscribe(s);
  }

  lost(): void {
    this.#connected = false;
  }

  frame(bytes: Uint8Array): void {
    let run: number;
    try {
      run = decodeHeader(bytes).run;
    } catch {
      return;
    }
    const view = this.#byNumber.get(run)?.view;
    if (!view) return;
    view.model.frame(bytes);
    view.poke();
  }

  completions(run: number, latest: CompletionSnapshot, lastSeq: number): void {
    const view = this.#byNumber.get(run)?.view;
    if (!view) return;
    view.model.setCompletions(latest, lastSeq);
    view.poke();
  }

  latencies(run: number, latencies: LatencySnapshot): void {
    const view = this.#byNumber.get(run)?.view;
    if (!view) return;
    view.model.setLatencies(latencies);
    view.poke();
  }

  /** All completions that are kept of a run at this moment. */
  async stillCompletions({ view }: RunSession): Promise<CompletionSnapshot | null> {
    return view && this.#client.stillCompletions(view.model.record.number);
  }

  /** Handlers of messages about a run, by type. */
  readonly #heard: { [T in AgentMessage['type']]?: (m: Extract<AgentMessage, { type: T }>) => void } = {
    'run.events': (m) => {
      const view = this.#sessions.get(m.runId)?.view;
      if (!view) return;
      for (const e of m.events) view.model.event(e);
      view.poke();
    },
    'run.changed': (m) => {
      const view = this.#sessions.get(m.run.id)?.view;
      if (!view) return;
      view.model.setRecord(m.run);
      view.poke();
    },
    'run.live': (m) => {
      this.#state(m.runId, 'live');
    },
    'run.complete': (m) => {
      const view = this.#sessions.get(m.runId)?.view;
      view?.model.complete();
      view?.poke();
      this.#state(m.runId, 'complete');
    },
    'run.dropped': (m) => {
      const view = this.#sessions.get(m.runId)?.view;
      if (!view || m.what !== 'packets') return;
      view.model.missedPackets(m.records, m.recorded);
      view.poke();
    },
    'run.removed': (m) => {
      const s = this.#sessions.get(m.runId);
      if (s) {
        s.state = 'failed';
        s.error = new AgentError({
          code: 'UNKNOWN_RUN',
          message: 'This run was deleted.',
          cure: 'See the list of runs for the others.',
        });
        this.#onChange();
      }
    },
  };

  message(m: AgentMessage): void {
    (this.#heard[m.type] as ((m: AgentMessage) => void) | undefined)?.(m);
  }

  async #readAgain(s: RunSession): Promise<void> {
    if (s.view) {
      const { number } = s.view.model.record;
      this.#byNumber.delete(number);
      this.#client.forget(number);
      s.view = null;
    }
    s.state = 'loading';
    // The old stream must end before the new model exists.
    await this.#client.request('run.unsubscribe', { runId: s.runId }).catch(() => undefined);
    if (this.#sessions.get(s.runId) === s && this.#connected && !s.view) await this.#subscribe(s);
  }

  #state(runId: string, state: SessionState): void {
    const s = this.#sessions.get(runId);
    if (!s || s.state === state) return;
    s.state = state;
    this.#onChange();
  }

  async #subscribe(s: RunSession): Promise<void> {
    try {
      const fromSeq = (s.view?.model.lastSeq ?? 0) + 1;
      // The model has to exist before the stream begins, which may be before the reply's promise resolves.
      const got = s.view ? null : await this.#client.request('run.get', { runId: s.runId });
      if (this.#sessions.get(s.runId) !== s) return;
      if (got) {
        s.view = new RunView(new RunModel(got.run));
        this.#byNumber.set(got.run.number, s);
        this.#client.watch(s.runId, got.run.number, isProgram(got.run));
      }
      s.state = 'replaying';
      s.error = null;
      this.#onChange();
      const reply = await this.#client.request('run.subscribe', {
        runId: s.runId,
        fromSeq,
        ...(s.detail ? {} : { detail: false }),
      });
      s.view?.model.setRecord(reply.run);
      s.view?.poke();
    } catch (e) {
      if (!(e instanceof AgentError)) throw e;
      // A lost connection is no failure of the run: welcome() subscribes again.
      if (e.info.code === 'DISCONNECTED') return;
      s.state = 'failed';
      s.error = e;
      this.#onChange();
    }
  }
}
