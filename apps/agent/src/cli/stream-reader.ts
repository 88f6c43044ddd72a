import { AppError, type AgentMessage, type RunEvent } from '@verbslab/protocol';
import type { AgentClient, ClientEvents } from '../client/client.js';

/** Receiver of the stream of a run. */
export interface StreamTaker {
  event: (event: RunEvent) => void;
  frame?: (frame: Uint8Array) => void;
}

/** Reads the streams of runs up to their present ends, one run after the other. */
export class StreamReader {
  #taker: StreamTaker | null = null;
  #done: () => void = () => undefined;
  #gone: (error: AppError) => void = () => undefined;

  /** Handlers for the connection that the reader uses. */
  readonly events: ClientEvents = {
    onMessage: (message: AgentMessage): void => {
      if (message.type === 'run.events') for (const event of message.events) this.#taker?.event(event);
      if (message.type === 'run.complete' || message.type === 'run.live') this.#done();
    },
    onFrame: (frame: Uint8Array): void => this.#taker?.frame?.(frame),
    onClose: (): void =>
      this.#gone(new AppError('AGENT_UNREACHABLE', { url: 'this machine', detail: 'the connection closed' })),
  };

  /** Reads the stream of a run. `detail`: with completions and packets. */
  async read(client: AgentClient, runId: string, taker: StreamTaker, detail = true): Promise<void> {
    this.#taker = taker;
    const end = new Promise<void>((resolve, reject) => {
      this.#done = resolve;
      this.#gone = reject;
    });
    const request = { runId, fromSeq: 1, ...(detail ? {} : { detail: false as const }) };
    await Promise.all([client.request('run.subscribe', request), end]);
    await client.request('run.unsubscribe', { runId });
  }
}
