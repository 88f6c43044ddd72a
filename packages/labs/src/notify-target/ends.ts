/** Two ends with a CQ per queue; receive CQs have a completion channel, so that the target can sleep. */
import type { ConnectOptions, EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption, settleLink } from '../link.js';
import { WORD_BYTES } from '../words.js';
import type { NotifyTargetParams } from './params.js';

export type Context = LabContext<NotifyTargetParams>;

export interface End {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  sendCq: number;
  recvCq: number;
  qp: EndpointResult<'createQp'>;
  /** Whether the device executes atomics of its peer. */
  atomics: boolean;
}

export interface Ends {
  client: End;
  server: End;
}

const DEPTH = 64;

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
  const { cq: sendCq } = await endpoint.call('createCq', { depth: DEPTH });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: DEPTH, events: true });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq,
    recvCq,
    maxSendWr: DEPTH,
    maxRecvWr: DEPTH,
    ...linkOption(endpoint, link),
  });
  return { endpoint, pd, mr, sendCq, recvCq, qp, atomics };
}

export async function openEnds(ctx: Context, options: ConnectOptions): Promise<Ends> {
  const [client, server] = [await build(ctx, 'client'), await build(ctx, 'server')];
  await client.endpoint.call('connectQp', { qp: client.qp.qp, remote: server.qp.info, options });
  await server.endpoint.call('connectQp', { qp: server.qp.qp, remote: client.qp.info, options });
  await settleLink(ctx, ctx.params.link, [client, server]);
  return { client, server };
}

export async function closeEnds({ client, server }: Ends): Promise<void> {
  for (const { endpoint, qp, sendCq, recvCq, mr, pd } of [client, server]) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await endpoint.call('destroy', { what: 'cq', handle: sendCq });
    await endpoint.call('destroy', { what: 'cq', handle: recvCq });
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
