/** Several clients, each with a connection of its own to one server and its one counter. */
import {
  AppError,
  type Access,
  type ConnectOptions,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
} from '@verbslab/protocol';
import { linkOption, settleLink } from '../link.js';
import { openSide, type Side } from '../side.js';
import { WORD_BYTES } from '../words.js';
import type { AtomicsParams } from './params.js';

type Context = LabContext<AtomicsParams>;
type Destroyed = 'qp' | 'cq' | 'mr' | 'pd';

/** Words of the server: the counter, and the neighbor that an access to the wrong address would reach. */
const SERVER_BYTES = 2 * WORD_BYTES;
const DEPTH = 64;
/** Code of 1.07 s: a busy machine adds no retransmission. */
const PATIENT: ConnectOptions = { timeout: 18 };

export interface Server {
  endpoint: EndpointHandle;
  mr: EndpointResult<'regMr'>;
  pd: number;
  cq: number;
  qps: number[];
}

/** Throws AppError MISSING_CAPABILITY where the server’s device has no atomics. */
export async function openServer(ctx: Context, access: Access[]): Promise<Server> {
  const endpoint = ctx.endpoint('server');
  const { device } = await endpoint.call('attributes', {});
  if (device.atomic_cap === 'none')
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: `${endpoint.device.name} at the server has no atomics (atomic_cap is none).`,
      cure: 'Place the server on a device that has them, for example the embedded one.',
    });
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: SERVER_BYTES, access });
  const { cq } = await endpoint.call('createCq', { depth: DEPTH });
  return { endpoint, mr, pd, cq, qps: [] };
}

/** A client that is connected to the server; `words` results fit into its memory. */
export async function join(ctx: Context, name: string, server: Server, words: number): Promise<Side> {
  const { link } = ctx.params;
  const client = await openSide(ctx.endpoint(name), {
    length: words * WORD_BYTES,
    access: ['LOCAL_WRITE'],
    link,
    depth: DEPTH,
  });
  const { endpoint, pd, cq } = server;
  const qp = await endpoint.call('createQp', { pd, sendCq: cq, ...linkOption(endpoint, link) });
  server.qps.push(qp.qp);
  await endpoint.call('connectQp', { qp: qp.qp, remote: client.qp.info, options: PATIENT });
  await client.endpoint.call('connectQp', { qp: client.qp.qp, remote: qp.info, options: PATIENT });
  await settleLink(ctx, link, [client, { endpoint, qp }]);
  return client;
}

export async function closeServer({ endpoint, qps, cq, mr, pd }: Server): Promise<void> {
  const destroy = (what: Destroyed, handle: number) => endpoint.call('destroy', { what, handle });
  for (const qp of qps) await destroy('qp', qp);
  await destroy('cq', cq);
  await destroy('mr', mr.mr);
  await destroy('pd', pd);
}
