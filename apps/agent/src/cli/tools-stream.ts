import { AppError, type AgentMessage, type RunEventOf } from '@verbslab/protocol';
import type { AgentClient, ClientEvents } from '../client/client.js';

/** Collects the output of the programs of a run until the run has ended. */
export class StreamEnd {
  readonly #output: RunEventOf<'output'>[] = [];
  #done: () => void = () => undefined;
  #gone: (error: AppError) => void = () => undefined;

  /** Handlers for the connection that delivers the output. */
  readonly events: ClientEvents = {
    onMessage: (message: AgentMessage): void => {
      if (message.type === 'run.events')
        for (const event of message.events) if (event.kind === 'output') this.#output.push(event);
      if (message.type === 'run.complete') this.#done();
    },
    onClose: (): void =>
      this.#gone(
        new AppError('AGENT_UNREACHABLE', { url: 'this machine', detail: 'it stopped during the run' }),
      ),
  };

  async of(client: AgentClient, runId: string): Promise<RunEventOf<'output'>[]> {
    const complete = new Promise<void>((resolve, reject) => {
      this.#done = resolve;
      this.#gone = reject;
    });
    await Promise.all([client.request('run.subscribe', { runId, fromSeq: 1, detail: false }), complete]);
    return this.#output;
  }
}
