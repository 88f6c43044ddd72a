/** Several clients, each with a connection of its own to one server and its one counter. */
import type { Access, ConnectOptions, LabContext } from '@verbslab/protocol';
import { openOwner, type Owner } from '../endpoints/scope.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/memory.js';
import type { AtomicsParams } from './params.js';

type Context = LabContext<AtomicsParams>;

/** Words of the server: the counter, and the neighbor that an access to the wrong address would reach. */
const SERVER_BYTES = 2 * WORD_BYTES;
const DEPTH = 64;
/** Code of 1.07 s: a busy machine adds no retransmission. */
const PATIENT: ConnectOptions = { timeout: 18 };

export interface Server extends Owner {
  cq: number;
}

export async function openServer(ctx: Context, access: Access[]): Promise<Server> {
  const owner = await openOwner(ctx.endpoint('server'), SERVER_BYTES, access);
  return { ...owner, cq: (await owner.scope.cq(DEPTH)).cq };
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
  const { endpoint, scope, cq } = server;
  const qp = await scope.qp(link, { sendCq: cq });
  await connectSides(ctx, [client, { endpoint, qp }], link, PATIENT);
  return client;
}
