/** The ways that a small message can take: two kinds of sockets, two operations of RDMA, each on up to two links. */
import type { LabContext } from '@verbslab/protocol';
import { addressOfGid } from '../endpoints/verbs.js';
import { hasShm, type Links } from './links.js';
import { connectPair, type Pair } from './pair.js';
import { pingMemory, PING_RECVS, type PingPath } from './ping.js';

/** Ways in the order of tables and charts. `title`: for labels. */
export const WAYS = [
  { id: 'udp', title: 'UDP sockets' },
  { id: 'tcp', title: 'TCP' },
  { id: 'send', title: 'SEND/RECV' },
  { id: 'write', title: 'WRITE' },
  { id: 'send-shm', title: 'SEND/RECV, shared memory' },
  { id: 'write-shm', title: 'WRITE, shared memory' },
] as const;
export type WayId = (typeof WAYS)[number]['id'];

export interface Way {
  id: WayId;
  title: string;
  /**
   * Opens the way. RDMA gets a pair of its own: the late answer of an earlier ping-pong would be taken for that of a
   * new one.
   */
  open: () => Promise<PingPath>;
}

type Context = LabContext<{ size: number; wait: 'event' | 'poll'; links: Links }>;
type Open = Way['open'];

/** The server’s address: sockets go between the same two as RDMA. */
export const hostOf = async (ctx: LabContext<unknown>): Promise<string> =>
  addressOfGid((await ctx.endpoint('server').call('query', {})).gid);

/** The ways that these two ends have, for messages of `largest` bytes and less. Throws AppError as `hasShm` does. */
export async function waysOf(ctx: Context, largest = ctx.params.size): Promise<Way[]> {
  const host = await hostOf(ctx);
  const sockets =
    (transport: 'udp' | 'tcp'): Open =>
    () =>
      Promise.resolve({ transport, host });
  const rdma =
    (op: 'send' | 'write', link: 'udp' | 'auto'): Open =>
    async () => ({ transport: 'rdma', op, pair: await open(ctx, link, largest) });
  const over = ctx.params.links !== 'shm';
  const around = await hasShm(ctx);
  const opens: Record<WayId, Open | null> = {
    udp: sockets('udp'),
    tcp: sockets('tcp'),
    send: over ? rdma('send', 'udp') : null,
    write: over ? rdma('write', 'udp') : null,
    'send-shm': around ? rdma('send', 'auto') : null,
    'write-shm': around ? rdma('write', 'auto') : null,
  };
  return WAYS.flatMap(({ id, title }) => {
    const way = opens[id];
    return way ? [{ id, title, open: way }] : [];
  });
}

function open(ctx: Context, link: 'udp' | 'auto', largest: number): Promise<Pair> {
  return connectPair(ctx, {
    link,
    memory: pingMemory(largest),
    sendDepth: PING_RECVS,
    recvDepth: PING_RECVS,
    answerDepth: PING_RECVS,
    events: ctx.params.wait === 'event',
  });
}

/** WRITE has nothing to wait for but memory. */
export const waitOf = (path: PingPath, wait: 'event' | 'poll'): 'event' | 'poll' =>
  path.transport === 'rdma' && path.op === 'write' ? 'poll' : wait;
