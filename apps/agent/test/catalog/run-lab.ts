/** Runs a lab of the catalog on the embedded device, and keeps its results and packets. */
import { LABS } from '@verbslab/labs';
import {
  decodeHeader,
  decodePackets,
  type RunEvent,
  type RunRecord,
  type RunResult,
} from '@verbslab/protocol';
import { onTestFinished } from 'vitest';
import { startAgent } from '../../src/agent.js';
import { spawnEndpoint } from '../../src/endpoint/index.js';
import { createLogger } from '../../src/base/log.js';
import { newHome, Recorder } from '../helpers/agent.js';

export interface Ran {
  record: RunRecord;
  result: RunResult;
  events: readonly RunEvent[];
  /** Packets by the endpoint that tapped them. */
  packets: Map<string, ReturnType<typeof decodePackets>>;
}

/** Options with which a run is started. */
export interface Start {
  lab: string;
  params?: Record<string, string | number | boolean>;
  variation?: string;
}

/** Runs a lab. `link`: link of its packets, unless a parameter of the lab sets it. */
export async function runOn(link: 'udp' | 'auto', { params = {}, ...start }: Start): Promise<Ran> {
  const packets: Ran['packets'] = new Map();
  const agent = await startAgent({
    home: newHome(),
    port: 0,
    labs: LABS,
    spawn: (options) =>
      spawnEndpoint({
        ...options,
        env: { UROCE_LINK: link },
        onFrame: (frame) => {
          const { kind } = decodeHeader(frame);
          if (kind === 'packets')
            packets.set(options.name, [...(packets.get(options.name) ?? []), ...decodePackets(frame)]);
          options.onFrame(frame);
        },
      }),
    logger: createLogger('silent'),
  });
  onTestFinished(() => agent.close());
  const recorder = await Recorder.connect(agent);
  const { run } = await recorder.client.request('run.start', {
    ...start,
    params,
    mode: 'all',
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  const { run: record } = await recorder.client.request('run.get', { runId: run.id });
  return { record, result: record.result!, events: recorder.events, packets };
}
