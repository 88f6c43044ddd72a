/** Makes the WRITEs and collects what each end recorded of them. */
import type { LabContext, RequestStamps, TracedWrite } from '@verbslab/protocol';
import { formatCount } from '../base/format.js';
import type { End, Pair } from '../load/pair.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { atServer, livesOf, type AtServer, type Life } from './lives.js';
import type { WriteStagesParams } from './params.js';
import { ALL, PLAIN, WITHOUT_SERVER, type Stage } from './stages.js';

type Context = LabContext<WriteStagesParams>;

/** WRITEs before those that count. */
const WARM_UP = 20;
const WRITE_MS = 10_000;
/** Packets in one answer of a tap at most. */
const PACKETS_KEPT = 4096;

export interface Traced {
  lives: Life[];
  stages: readonly Stage[];
  /** WRITEs whose last packet came to the server more than once. */
  repeated: number;
  /** Stamps that the device lost. */
  dropped: number;
}

const write = async (
  ctx: Context,
  { client, server }: Pair,
  firstId: number,
  count: number,
): Promise<TracedWrite[]> => {
  const { size, inline, wait } = ctx.params;
  const { writes } = await client.endpoint.call('traceWrites', {
    ...{ qp: client.qp.qp, cq: client.cq.cq, mr: client.mr.mr },
    remote: { addr: server.mr.addr, rkey: server.mr.rkey },
    inline: size <= inline,
    timeoutMs: WRITE_MS,
    ...{ size, wait, firstId, count },
  });
  return writes;
};

/** The packets of one end, if its device and this connection let them be seen. */
async function watched(ctx: Context, { client, server }: Pair, end: End): Promise<PacketWatch> {
  const watch = new PacketWatch(end.endpoint);
  await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);
  return watch;
}

/** Only the program’s times: what is left on a device without stamps. */
async function traceCalls(ctx: Context, pair: Pair): Promise<Traced> {
  ctx.note(
    `${pair.client.endpoint.device.name} has no stamps of work requests, so only the calls of the program are timed: the post, and until the completion was polled.`,
  );
  await write(ctx, pair, 0, WARM_UP);
  const writes = await write(ctx, pair, WARM_UP, ctx.params.writes);
  return { lives: livesOf(writes, WARM_UP, [], []), stages: PLAIN, repeated: 0, dropped: 0 };
}

export async function trace(ctx: Context, pair: Pair): Promise<Traced> {
  const { writes: wanted, size } = ctx.params;
  const { endpoint, qp } = pair.client;
  if (!endpoint.has('stamps')) return traceCalls(ctx, pair);
  const own = await watched(ctx, pair, pair.client);
  const watch = await watched(ctx, pair, pair.server);
  await endpoint.call('stamps.start', {});
  await write(ctx, pair, 0, WARM_UP);
  await endpoint.call('stamps.flush', {});
  await watch.take();
  const perWrite = 2 * Math.ceil(size / Math.min(qp.info.mtu, pair.server.qp.info.mtu)) + 2;
  const batch = Math.max(1, Math.floor(PACKETS_KEPT / perWrite));
  const lives: Life[] = [];
  const seen: AtServer[] = [];
  let dropped = 0;
  for (let done = 0; done < wanted; done += batch) {
    ctx.signal.throwIfAborted();
    ctx.progress(done / wanted, `${formatCount(done)} of ${formatCount(wanted)} WRITEs`);
    const firstId = WARM_UP + done;
    const writes = await write(ctx, pair, firstId, Math.min(batch, wanted - done));
    const report = await endpoint.call('stamps.flush', { withStamps: true });
    const stamps: RequestStamps[] = report.stamps ?? [];
    dropped = report.dropped;
    const server = atServer(await watch.take());
    seen.push(...server);
    // Without the packets of one of them, those of the others cannot be told apart.
    lives.push(...livesOf(writes, firstId, stamps, server.length === writes.length ? server : []));
  }
  await endpoint.call('stamps.stop', {});
  await watch.stop();
  await own.stop();
  const repeated = seen.filter((one) => one.repeated).length;
  return { lives, stages: watch.on ? ALL : WITHOUT_SERVER, repeated, dropped };
}
