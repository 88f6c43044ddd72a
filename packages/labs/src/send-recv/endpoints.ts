/** A connection for messages: neither side may reach into the memory of the other. */
import type { ConnectOptions, LabContext } from '@verbslab/protocol';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import type { SendRecvParams } from './params.js';

export type Context = LabContext<SendRecvParams>;

/** Codes of 1.07 s and of 0.64 ms. */
const ACK_TIMEOUT = 18;
const RNR_TIMER = 12;
/** `rnr_retry` that is no limit. */
export const WITHOUT_END = 7;

/** Pieces of memory of one message at most. */
const PIECES = { maxSendSge: 3, maxRecvSge: 2 };

export async function openEnds(
  ctx: Context,
  lengths: readonly [number, number],
  rnrRetry: number,
): Promise<[Side, Side]> {
  const { link } = ctx.params;
  const rest = { access: ['LOCAL_WRITE' as const], link, qp: PIECES };
  const client = await openSide(ctx.endpoint('client'), { length: lengths[0], ...rest });
  const server = await openSide(ctx.endpoint('server'), { length: lengths[1], ...rest });
  const options: ConnectOptions = { rnrRetry, minRnrTimer: RNR_TIMER, timeout: ACK_TIMEOUT };
  await connectSides(ctx, [client, server], link, options);
  return [client, server];
}

/** A RECV over a part of a side’s memory. */
export async function postRecv(
  { endpoint, qp, mr }: Side,
  wrId: number,
  offset: number,
  length: number,
): Promise<void> {
  const local = length === 0 ? [] : [{ mr: mr.mr, offset, length }];
  await endpoint.call('postRecv', { qp: qp.qp, wr: { wrId, local } });
}
