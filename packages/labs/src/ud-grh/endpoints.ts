/** Two UD queue pairs. Neither is connected to the other. */
import type { LabContext } from '@verbslab/protocol';
import { GRH_BYTES } from '../endpoints/datagram.js';
import { openSide, type Side } from '../endpoints/side.js';
import type { UdGrhParams } from './params.js';

/** The server’s; a sender has to name it. */
export const QKEY = 0x2222;
export const WRONG_QKEY = 0x3333;

/** Messages lie at the start of each region, receive buffers behind them. */
export const bufferAt = (size: number): number => size;

export async function openUd(ctx: LabContext<UdGrhParams>, name: 'client' | 'server'): Promise<Side> {
  const { size, link } = ctx.params;
  const side = await openSide(ctx.endpoint(name), {
    length: 2 * size + GRH_BYTES,
    access: ['LOCAL_WRITE'],
    link,
    qp: { type: 'UD' },
  });
  await side.endpoint.call('activateQp', { qp: side.qp.qp, qkey: QKEY });
  return side;
}

export async function addressOf(from: Side, gid: string): Promise<number> {
  return (await from.endpoint.call('createAh', { pd: from.scope.pd, gid })).ah;
}
