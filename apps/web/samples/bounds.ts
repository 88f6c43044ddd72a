// What a device answers to requests at the bounds of a region: the table behind the explanation `bounds`. Every request is
// posted over a connection of its own, because a refused one ends it.
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { isNak } from '@verbslab/roce';
import { closeAll } from '../../../packages/labs/src/endpoints/scope.js';
import { connectSides, openSide } from '../../../packages/labs/src/endpoints/side.js';
import { PacketWatch } from '../../../packages/labs/src/wire/packet-watch.js';
import { REGION, type Request } from '../src/explanations/bounds/model';

const LOCAL = 4 * REGION;
const WAIT_MS = 10_000;
/** A key of no region of this process. */
const OTHER_KEY = 0x100;

const FROM = [-64, -1, 0, 1, 1024, REGION - 1024, REGION - 1, REGION, REGION + 1];
const LENGTHS = [0, 1, 1024, 1025, REGION, REGION + 1];
/** In the region, ending at its end, one byte too long, and of no bytes outside of it. */
const RANGES = [
  { from: 1024, length: 1024 },
  { from: REGION - 1024, length: 1024 },
  { from: REGION - 1024, length: 1025 },
  { from: REGION + 1, length: 0 },
];
const BOTH = [true, false];

/** Every range with all rights; and every mix of key and rights with a few ranges. */
const REQUESTS: readonly Request[] = (['WRITE', 'READ'] as const).flatMap((op) => [
  ...FROM.flatMap((from) =>
    LENGTHS.map((length) => ({ op, from, length, key: true, region: true, qp: true })),
  ),
  ...RANGES.flatMap((range) =>
    BOTH.flatMap((key) => BOTH.flatMap((region) => BOTH.map((qp) => ({ op, ...range, key, region, qp })))),
  ).filter(({ key, region, qp }) => !key || !region || !qp),
]);

async function eventsOf(endpoint: EndpointHandle, failed: boolean): Promise<string> {
  const { events } = await endpoint.call('waitAsync', { timeoutMs: failed ? WAIT_MS : 0 });
  return events.map(({ event }) => event).join(', ');
}

async function answerOf(
  ctx: LabContext<unknown>,
  ends: readonly [EndpointHandle, EndpointHandle],
  { op, from, length, key, region, qp }: Request,
  watch: PacketWatch,
): Promise<Record<string, string | number | null>> {
  const right = op === 'WRITE' ? 'REMOTE_WRITE' : 'REMOTE_READ';
  const client = await openSide(ends[0], { length: LOCAL, access: ['LOCAL_WRITE'], link: 'auto' });
  const server = await openSide(ends[1], {
    ...{ length: REGION, link: 'auto' },
    access: ['LOCAL_WRITE', ...(region ? [right] : [])] as never,
  });
  await connectSides(ctx, [client, server], 'auto', [
    { access: ['LOCAL_WRITE'] },
    { access: ['LOCAL_WRITE', ...(qp ? [right] : [])] as never },
  ]);
  await watch.take();
  const { addr, rkey } = server.mr;
  const { completions } = await client.endpoint.call('postAndWait', {
    ...{ qp: client.qp.qp, cq: client.cq, timeoutMs: WAIT_MS },
    wr: {
      opcode: `RDMA_${op}` as const,
      local: length === 0 ? [] : [{ mr: client.mr.mr, offset: 0, length }],
      remote: {
        addr: `0x${(BigInt(addr) + BigInt(from)).toString(16)}`,
        rkey: key ? rkey : (rkey ^ OTHER_KEY) >>> 0,
      },
    },
  });
  const [{ status, statusName }] = completions as [(typeof completions)[number]];
  const nak = (await watch.take()).find(
    ({ direction, syndrome }) => direction === 'received' && isNak(syndrome),
  );
  const found = {
    status: statusName,
    nak: nak?.syndrome ?? null,
    event: await eventsOf(server.endpoint, status !== 0),
    client: (await client.endpoint.call('queryQp', { qp: client.qp.qp })).state,
    server: (await server.endpoint.call('queryQp', { qp: server.qp.qp })).state,
  };
  await closeAll(client, server);
  return found;
}

export async function recordBounds(ctx: LabContext<unknown>): Promise<void> {
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const watch = new PacketWatch(ends[0]);
  await watch.start(ctx, false, true);
  for (const request of REQUESTS) {
    const answer = await answerOf(ctx, ends, request, watch);
    ctx.row('answers', { ...request, ...answer });
  }
  ctx.draining();
  await watch.stop();
}
