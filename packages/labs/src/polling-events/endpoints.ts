/** Two ends without memory: messages are immediates. The CQ of RECVs has a completion channel. */
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { PATIENT } from '../endpoints/timeouts.js';
import { Scope, type Queues } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';
import type { PollingEventsParams } from './params.js';

export type Context = LabContext<PollingEventsParams>;

export interface End extends Queues {
  scope: Scope;
  endpoint: EndpointHandle;
}

export interface Ends {
  client: End;
  server: End;
}

async function build(ctx: Context, name: string): Promise<End> {
  const endpoint = ctx.endpoint(name);
  const scope = await Scope.open(endpoint);
  return { scope, endpoint, ...(await scope.queues(ctx.params.link)) };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  await connectSides(ctx, [client, server], ctx.params.link, PATIENT);
  return { client, server };
}
