/** Two ends with a CQ per queue; receive CQs have a completion channel, so that the target can sleep. */
import type { ConnectOptions, EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { closeQueues, openQueues, type Queues } from '../endpoints/queues.js';
import { connectSides } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/words.js';
import type { NotifyTargetParams } from './params.js';

export type Context = LabContext<NotifyTargetParams>;

export interface End extends Queues {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  /** Whether the device executes atomics of its peer. */
  atomics: boolean;
}

export interface Ends {
  client: End;
  server: End;
}

/** Where the counter is: behind the message, at a multiple of 8. */
export const counterOffset = (size: number): number => Math.ceil(size / WORD_BYTES) * WORD_BYTES;

async function build(ctx: Context, name: string): Promise<End> {
  const { size, link } = ctx.params;
  const endpoint = ctx.endpoint(name);
  const { device } = await endpoint.call('attributes', {});
  const atomics = device.atomic_cap !== 'none';
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', {
    pd,
    length: counterOffset(size) + WORD_BYTES,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', ...(atomics ? (['REMOTE_ATOMIC'] as const) : [])],
  });
  return { endpoint, pd, mr, atomics, ...(await openQueues(endpoint, pd, link)) };
}

export async function openEnds(ctx: Context, options: ConnectOptions): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  await connectSides(ctx, [client, server], ctx.params.link, [options, options]);
  return { client, server };
}

export async function closeEnds({ client, server }: Ends): Promise<void> {
  for (const { endpoint, mr, pd, ...queues } of [client, server]) {
    await closeQueues(endpoint, queues);
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
