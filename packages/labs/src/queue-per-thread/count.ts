/** A counted transfer in each setting: the same messages, the same completions, and every byte at the server. */
import type { LabContext } from '@verbslab/protocol';
import { formatCount, plural } from '../base/format.js';
import type { QueuePerThreadParams } from './params.js';
import { signalEvery, threadsLoop, type Queues, type Setting } from './queues.js';

type Context = LabContext<QueuePerThreadParams>;

/** Messages of each thread. More than it has places in the memory. */
export const COUNTED = 512;

export const settingText = ({ owner, threads }: Setting): string =>
  owner === 'own'
    ? `${plural(threads, 'thread')} with own queues`
    : `${plural(threads, 'thread')} with shared queues`;

const SEEDS = { client: 1, server: 2 };

async function fill({ own: [first] }: Queues): Promise<void> {
  for (const name of ['client', 'server'] as const) {
    const { endpoint, mr } = first![name];
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: mr.length, seed: SEEDS[name] });
  }
}

async function arrived({ own: [first] }: Queues): Promise<boolean> {
  const hashes: string[] = [];
  for (const { endpoint, mr } of [first!.client, first!.server])
    hashes.push((await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length: mr.length })).sha256);
  return hashes[0] === hashes[1];
}

export async function countTransfers(
  ctx: Context,
  queues: Queues,
  settings: readonly Setting[],
): Promise<void> {
  const wrong: string[] = [];
  for (const setting of settings) {
    const { threads: count } = setting;
    await fill(queues);
    const { whole, threads, messages } = await threadsLoop(ctx, queues, setting, {
      iterations: COUNTED * count,
    });
    const expected = count * Math.ceil(COUNTED / signalEvery(ctx.params));
    if (messages !== COUNTED * count || threads.messages.some((one) => one !== COUNTED))
      wrong.push(`${settingText(setting)}: ${threads.messages.map(formatCount).join(' + ')} messages`);
    else if (whole?.completions !== expected)
      wrong.push(
        `${settingText(setting)}: ${plural(whole?.completions ?? 0, 'completion')} instead of ${expected}`,
      );
    else if (!(await arrived(queues))) wrong.push(`${settingText(setting)}: other bytes at the server`);
  }
  ctx.check(
    'same-work',
    wrong.length === 0,
    wrong.length === 0
      ? `In each setting every thread sent ${COUNTED} messages with ${Math.ceil(COUNTED / signalEvery(ctx.params))} completions, and the server’s memory equals the client’s.`
      : `It differs: ${wrong.join('; ')}.`,
  );
}
