/** A connection of each type. */
import type { LabContext } from '@verbslab/protocol';
import { connectSides, openSide, remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import type { UnreliableParams } from './params.js';

export type Context = LabContext<UnreliableParams>;

export const TYPES = ['UC', 'RC'] as const;
export type Type = (typeof TYPES)[number];

/** Upper bits of the opcodes of each type. */
export const OPCODE_BASE: Readonly<Record<Type, number>> = { RC: 0x00, UC: 0x20 };

export interface Connection {
  type: Type;
  client: Side;
  server: Side;
  /** Bytes of one packet, and of one message. */
  mtu: number;
  size: number;
}

export async function connect(ctx: Context, type: Type): Promise<Connection> {
  const { link, packets } = ctx.params;
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const mtu = Math.min((await ends[0].call('query', {})).mtu, (await ends[1].call('query', {})).mtu);
  const size = packets * mtu;
  const [client, server] = [
    await openSide(ends[0], { length: size, access: ['LOCAL_WRITE'], link, qp: { type } }),
    await openSide(ends[1], { length: size, access: ['LOCAL_WRITE', 'REMOTE_WRITE'], link, qp: { type } }),
  ];
  await connectSides(ctx, [client, server], link);
  return { type, client, server, mtu, size };
}

/** WRITEs the whole region; resolves when that has completed. */
export async function write({ client, server, type }: Connection): Promise<void> {
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: { opcode: 'RDMA_WRITE', local: [{ mr: client.mr.mr }], remote: remoteOf(server) },
  });
  await completions(client.endpoint, client.cq, 1, `RDMA WRITE over ${type}`);
}

/** A message without data, which the server can tell by its immediate. Resolves when it has completed. */
export async function send({ client, type }: Connection, imm: number): Promise<void> {
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: { opcode: 'SEND_WITH_IMM', imm },
  });
  await completions(client.endpoint, client.cq, 1, `SEND over ${type}`);
}

export const postRecv = async ({ server }: Connection): Promise<void> => {
  await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
};

/** Immediates of the next messages, in the order of arrival. */
export async function arrived({ server }: Connection, count: number): Promise<number[]> {
  const found = await completions(server.endpoint, server.cq, count, 'RECV');
  return found.map(({ imm }) => imm ?? NaN);
}
