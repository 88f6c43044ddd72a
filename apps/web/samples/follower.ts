import type { RunRecord } from '@verbslab/protocol';
import type { AgentClient, ClientEvents } from '../../agent/src/client/client.js';
import { RunModel } from '../src/model/run-model';

/** Folds the stream of one run after the other. */
export class Follower {
  #model: RunModel | null = null;
  #done: () => void = () => undefined;

  readonly events: ClientEvents = {
    onMessage: (message) => {
      if (message.type === 'run.events') for (const e of message.events) this.#model?.event(e);
      if (message.type === 'run.changed' && message.run.id === this.#model?.record.id)
        this.#model.setRecord(message.run);
      if (message.type === 'run.complete') this.#done();
    },
    onFrame: (frame) => this.#model?.frame(frame.slice()),
  };

  /** Runs a lab to its end. */
  async run(client: AgentClient, lab: string, params: RunRecord['parameters']): Promise<RunModel> {
    const { run } = await client.request('run.start', { lab, mode: 'all', params });
    const model = new RunModel(run);
    this.#model = model;
    const complete = new Promise<void>((done) => (this.#done = done));
    await client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    await complete;
    const ended = (await client.request('run.get', { runId: run.id })).run;
    if (ended.state !== 'done') throw new Error(`${lab}: ${ended.state}, ${JSON.stringify(ended.error)}`);
    model.setRecord(ended);
    model.complete();
    return model;
  }
}
