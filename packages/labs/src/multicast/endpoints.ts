/** UD queue pairs of one Q_Key. Some of them attach to a group. */
import { AppError, type EndpointResult, type LabContext, type Wc } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { GRH_BYTES } from '../endpoints/datagram.js';
import { openSide, type Side } from '../endpoints/side.js';
import { gidOf } from './address.js';
import type { MulticastParams } from './params.js';

export type Context = LabContext<MulticastParams>;

const WAIT_MS = 5000;

/** Message at the start of the region, receive buffer behind it. Throws AppError where the address is not IPv4. */
export async function openEnd(ctx: Context, name: string): Promise<Side> {
  const { size, link } = ctx.params;
  const side = await openSide(ctx.endpoint(name), {
    length: 2 * size + GRH_BYTES,
    access: ['LOCAL_WRITE'],
    link,
    qp: { type: 'UD' },
  });
  if (!side.qp.info.gid.startsWith('::ffff:'))
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: `${side.endpoint.device.name} at the ${name} has the IPv6 address ${side.qp.info.gid}, but the group is an IPv4 address.`,
      cure: 'Give its network interface an IPv4 address, or choose another device.',
    });
  return side;
}

/** Throws AppError MISSING_CAPABILITY where the device refuses. */
export async function attach(ctx: Context, { endpoint, qp }: Side): Promise<void> {
  const done = await attempt(endpoint, 'attachMulticast', { qp: qp.qp, gid: gidOf(ctx.params.group) });
  if (!done.ok)
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: `${endpoint.device.name} at the ${endpoint.name} cannot attach to a multicast group. ${done.refusal}`,
      cure: 'Choose a device with multicast, for example the embedded one.',
    });
}

export interface Arrival {
  wc: Wc;
  grh: EndpointResult<'readGrh'>;
}

/** Null: nothing came in time. */
export async function arrival(ctx: Context, { endpoint, cq, mr }: Side): Promise<Arrival | null> {
  const { completions: found } = await endpoint.call('waitCq', { cq, count: 1, timeoutMs: WAIT_MS });
  const [wc] = found;
  return wc ? { wc, grh: await endpoint.call('readGrh', { mr: mr.mr, offset: ctx.params.size }) } : null;
}
