/** Several clients, each with a connection of its own to one server and its one counter. */
import type { Access, ConnectOptions, EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption } from '../endpoints/link.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/words.js';
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

export async function openServer(ctx: Context, access: Access[]): Promise<Server> {
  const endpoint = ctx.endpoint('server');
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
  await connectSides(ctx, [client, { endpoint, qp }], link, [PATIENT, PATIENT]);
  return client;
}

export async function closeServer({ endpoint, qps, cq, mr, pd }: Server): Promise<void> {
  const destroy = (what: Destroyed, handle: number) => endpoint.call('destroy', { what, handle });
  for (const qp of qps) await destroy('qp', qp);
  await destroy('cq', cq);
  await destroy('mr', mr.mr);
  await destroy('pd', pd);
}
