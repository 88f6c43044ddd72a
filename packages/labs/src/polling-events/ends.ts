/** Two ends without memory: messages are immediates. The CQ of RECVs has a completion channel. */
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { closeQueues, openQueues, type Queues } from '../endpoints/queues.js';
import { connectSides } from '../endpoints/side.js';
import type { PollingEventsParams } from './params.js';

export type Context = LabContext<PollingEventsParams>;

export interface End extends Queues {
  endpoint: EndpointHandle;
  pd: number;
}

export interface Ends {
  client: End;
  server: End;
}

/** 4.096 µs × 2^17: 0.54 s. An end that is not scheduled for a while must not count as lost packets. */
const ACK_TIMEOUT = 17;

async function build(ctx: Context, name: string): Promise<End> {
  const endpoint = ctx.endpoint(name);
  const { pd } = await endpoint.call('allocPd', {});
  return { endpoint, pd, ...(await openQueues(endpoint, pd, ctx.params.link)) };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  const options = { timeout: ACK_TIMEOUT };
  await connectSides(ctx, [client, server], ctx.params.link, [options, options]);
  return { client, server };
}

export async function closeEnds({ client, server }: Ends): Promise<void> {
  for (const { endpoint, pd, ...queues } of [client, server]) {
    await closeQueues(endpoint, queues);
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
