import { closeAll } from '../endpoints/scope.js';
import type { ConnectOptions, LabContext } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import { tryLate, tryNever } from './missing.js';
import { hex32 } from './order.js';
import type { WriteImmParams } from './params.js';
import { tryPosted } from './posted.js';

type Context = LabContext<WriteImmParams>;

/** `rnr_retry` that is no limit. */
const WITHOUT_END = 7;
/** Code of 0.64 ms. */
const RNR_TIMER = 12;
/** Code of 1.07 s: no slow answer adds a retransmission to those that the run counts. */
const ACK_TIMEOUT = 18;

async function open(ctx: Context): Promise<[Side, Side]> {
  const { size, link } = ctx.params;
  const client = await openSide(ctx.endpoint('client'), { length: size, access: ['LOCAL_WRITE'], link });
  const server = await openSide(ctx.endpoint('server'), {
    length: 2 * size,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
    link,
  });
  return [client, server];
}

async function connect(ctx: Context, sides: [Side, Side], rnrRetry: number): Promise<void> {
  const options: ConnectOptions = { rnrRetry, minRnrTimer: RNR_TIMER, timeout: ACK_TIMEOUT };
  await connectSides(ctx, sides, ctx.params.link, options);
}

export async function runWriteImm(ctx: Context): Promise<void> {
  const { immediate, rnrRetry } = ctx.params;
  const patient = await open(ctx);
  const watch = new PacketWatch(ctx.endpoint('client'));
  await watch.start(ctx, patient[0].qp.info.gid === patient[1].qp.info.gid);
  await connect(ctx, patient, WITHOUT_END);
  await tryPosted(ctx, ...patient);
  const lateMs = await tryLate(ctx, ...patient);

  const strict = await open(ctx);
  await connect(ctx, strict, rnrRetry);
  const ended = await tryNever(ctx, ...strict, watch);
  ctx.draining();
  await watch.stop();
  await closeAll(...[...patient, ...strict]);
  ctx.answer(
    `The server got the immediate ${hex32(immediate)} in the completion of a RECV. ` +
      (lateMs === null ? '' : `With a late RECV, the message completed after ${formatNumber(lateMs)} ms. `) +
      `Without one, and with rnr_retry ${rnrRetry}, the client’s request ended with ${ended}.`,
  );
}
