/** A SEND, WRITE or READ, and the packets that it took. */
import type { LabContext, PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { READ_RESPONSE, SEND, withoutRepeats, WRITE, type MessageOpcodes } from '../wire/messages.js';
import { hashOf, remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import type { Ends } from './endpoints.js';

export const OPERATIONS = ['SEND', 'RDMA_WRITE', 'RDMA_READ'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Opcodes of the packets with the data. */
export const DATA: Readonly<Record<Operation, MessageOpcodes>> = {
  SEND,
  RDMA_WRITE: WRITE,
  RDMA_READ: READ_RESPONSE,
};

export const NAMES: Readonly<Record<Operation, string>> = {
  SEND: 'SEND',
  RDMA_WRITE: 'WRITE',
  RDMA_READ: 'READ',
};

export interface Message {
  operation: Operation;
  size: number;
  /** Packets with the data of the message, each PSN once, in their order. */
  data: PacketSummary[];
  /** PSN of the first request packet; null if none was captured. */
  psn: number | null;
  /** IP bytes that went the other way: ACKs, or READ requests. */
  back: number;
  /** The bytes are at their destination. */
  arrived: boolean;
}

const bytesOf = (packets: readonly PacketSummary[]): number =>
  packets.reduce((sum, { length = 0 }) => sum + length, 0);

/** IP bytes of the packets with the data. */
export const dataBytes = ({ data }: Message): number => bytesOf(data);

/** @param seed of the pattern that is sent; the destination holds that of `seed` + 1 before. */
export async function message(
  ctx: LabContext<unknown>,
  { client, server, watch }: Pick<Ends, 'client' | 'server' | 'watch'>,
  operation: Operation,
  size: number,
  seed: number,
): Promise<Message> {
  ctx.signal.throwIfAborted();
  const [from, to] = operation === 'RDMA_READ' ? [server, client] : [client, server];
  for (const [{ endpoint, mr }, own] of [
    [from, seed],
    [to, seed + 1],
  ] as const)
    if (size > 0) await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed: own });
  const part = (side: Side) => (size === 0 ? [] : [{ mr: side.mr.mr, length: size }]);
  if (operation === 'SEND')
    await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: { local: part(server) } });
  await watch.take();
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: {
      opcode: operation,
      local: part(client),
      ...(operation === 'SEND' ? {} : { remote: remoteOf(server) }),
    },
  });
  await completions(client.endpoint, client.cq, 1, operation);
  if (operation === 'SEND') await completions(server.endpoint, server.cq, 1, 'RECV');
  const packets = await watch.take();
  const sent = withoutRepeats(packets.filter(({ direction }) => direction === 'sent')).once;
  const received = packets.filter(({ direction }) => direction === 'received');
  const reading = operation === 'RDMA_READ';
  return {
    operation,
    size,
    data: reading ? withoutRepeats(received.filter(({ opcode }) => opcode !== RC.acknowledge)).once : sent,
    psn: sent[0]?.psn ?? null,
    back: bytesOf(reading ? sent : received),
    arrived: size === 0 || (await hashOf(from, 0, size)) === (await hashOf(to, 0, size)),
  };
}
