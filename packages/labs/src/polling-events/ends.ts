/** Two ends without memory: messages are immediates. The CQ of RECVs has a completion channel. */
import type { EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption, settleLink } from '../link.js';
import type { PollingEventsParams } from './params.js';

export type Context = LabContext<PollingEventsParams>;

export interface End {
  endpoint: EndpointHandle;
  pd: number;
  sendCq: number;
  recvCq: number;
  qp: EndpointResult<'createQp'>;
}

export interface Ends {
  client: End;
  server: End;
}

const DEPTH = 64;
/** 4.096 µs × 2^17: 0.54 s. An end that is not scheduled for a while must not count as lost packets. */
const ACK_TIMEOUT = 17;

async function build(ctx: Context, name: string): Promise<End> {
  const endpoint = ctx.endpoint(name);
  const { pd } = await endpoint.call('allocPd', {});
  const { cq: sendCq } = await endpoint.call('createCq', { depth: DEPTH });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: DEPTH, events: true });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq,
    recvCq,
    maxSendWr: DEPTH,
    maxRecvWr: DEPTH,
    ...linkOption(endpoint, ctx.params.link),
  });
  return { endpoint, pd, sendCq, recvCq, qp };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  const options = { timeout: ACK_TIMEOUT };
  await client.endpoint.call('connectQp', { qp: client.qp.qp, remote: server.qp.info, options });
  await server.endpoint.call('connectQp', { qp: server.qp.qp, remote: client.qp.info, options });
  await settleLink(ctx, ctx.params.link, [client, server]);
  return { client, server };
}

export async function closeEnds({ client, server }: Ends): Promise<void> {
  for (const { endpoint, qp, sendCq, recvCq, pd } of [client, server]) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await endpoint.call('destroy', { what: 'cq', handle: sendCq });
    await endpoint.call('destroy', { what: 'cq', handle: recvCq });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
