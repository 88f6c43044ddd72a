/** The ways that a message can take: two kinds of sockets, two operations of RDMA, each on up to two links. */
import { AppError, type LabContext } from '@verbslab/protocol';
import { addressOfGid } from '../bulk/transports.js';
import { SHM_NEEDS } from '../link.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { pingMemory, PING_RECVS, type PingPath } from '../load/ping.js';
import type { LatencyParams } from './params.js';

/** In the order of tables and charts. `title`: as labels have it. */
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
  /** Of RDMA, a pair of its own: the late answer of an earlier ping-pong would be taken for that of a new one. */
  open: () => Promise<PingPath>;
}

type Context = LabContext<LatencyParams>;
type Open = Way['open'];

/** Sockets go between the same two addresses as RDMA. Throws AppError where only shared memory was asked for and cannot be had. */
export async function waysOf(ctx: Context): Promise<Way[]> {
  const host = addressOfGid((await ctx.endpoint('server').call('query', {})).gid);
  const { links } = ctx.params;
  const sockets =
    (transport: 'udp' | 'tcp'): Open =>
    () =>
      Promise.resolve({ transport, host });
  const rdma =
    (op: 'send' | 'write', link: 'udp' | 'auto'): Open =>
    async () => ({ transport: 'rdma', op, pair: await open(ctx, link) });
  const over = links !== 'shm';
  const around = links !== 'udp' && (await hasShm(ctx));
  const opens = new Map<WayId, Open>([
    ['udp', sockets('udp')],
    ['tcp', sockets('tcp')],
    ...(over
      ? ([
          ['send', rdma('send', 'udp')],
          ['write', rdma('write', 'udp')],
        ] as const)
      : []),
    ...(around
      ? ([
          ['send-shm', rdma('send', 'auto')],
          ['write-shm', rdma('write', 'auto')],
        ] as const)
      : []),
  ]);
  return WAYS.flatMap(({ id, title }) => {
    const way = opens.get(id);
    return way ? [{ id, title, open: way }] : [];
  });
}

function open(ctx: Context, link: 'udp' | 'auto'): Promise<Pair> {
  const { size, wait } = ctx.params;
  return connectPair(ctx, {
    link,
    memory: pingMemory(size),
    sendDepth: PING_RECVS,
    recvDepth: PING_RECVS,
    answerDepth: PING_RECVS,
    events: wait === 'event',
  });
}

async function hasShm(ctx: Context): Promise<boolean> {
  const lacking = [ctx.endpoint('client'), ctx.endpoint('server')].find((end) => !end.has('link'));
  if (lacking) return without(ctx, `${lacking.device.name} at the ${lacking.name} has one link only.`);
  const pair = await open(ctx, 'auto');
  await closePair(pair);
  return pair.link === 'shm' || without(ctx, 'The queue pairs send through UDP sockets.');
}

function without(ctx: Context, reason: string): false {
  if (ctx.params.links === 'shm')
    throw AppError.from({ code: 'MISSING_CAPABILITY', message: reason, cure: SHM_NEEDS });
  ctx.note(`Shared memory was left out. ${reason} ${SHM_NEEDS}`);
  return false;
}
