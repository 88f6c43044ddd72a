/** Two ends with a CQ per queue; receive CQs have a completion channel, so that the target can sleep. */
import type { ConnectOptions, LabContext } from '@verbslab/protocol';
import { openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/memory.js';
import type { NotifyTargetParams } from './params.js';

export type Context = LabContext<NotifyTargetParams>;

export interface End extends Owner, Queues {
  /** True if the device executes atomics of its peer. */
  atomics: boolean;
}

export interface Ends {
  client: End;
  server: End;
}

/** Offset of the counter: behind the message, at a multiple of 8. */
export const counterOffset = (size: number): number => Math.ceil(size / WORD_BYTES) * WORD_BYTES;

async function build(ctx: Context, name: string): Promise<End> {
  const { size, link } = ctx.params;
  const endpoint = ctx.endpoint(name);
  const { device } = await endpoint.call('attributes', {});
  const atomics = device.atomic_cap !== 'none';
  const owner = await openOwner(endpoint, counterOffset(size) + WORD_BYTES, [
    'LOCAL_WRITE',
    'REMOTE_WRITE',
    ...(atomics ? (['REMOTE_ATOMIC'] as const) : []),
  ]);
  return { ...owner, atomics, ...(await owner.scope.queues(link)) };
}

export async function openEnds(ctx: Context, options: ConnectOptions): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  await connectSides(ctx, [client, server], ctx.params.link, options);
  return { client, server };
}
