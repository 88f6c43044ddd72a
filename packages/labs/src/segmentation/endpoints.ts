/** Both ends, connected at one path MTU. */
import { PATIENT } from '../endpoints/timeouts.js';
import { closeAll } from '../endpoints/scope.js';
import type { LabContext, Mtu } from '@verbslab/protocol';
import type { PacketWatch } from '../wire/packet-watch.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import { ipVersionOf, type IpVersion } from '../wire/sizes.js';
import { watchClient } from '../wire/watch.js';
import type { SegmentationParams } from './params.js';

export interface Ends {
  client: Side;
  server: Side;
  watch: PacketWatch;
  mtu: Mtu;
  /** The largest path MTU that both devices support. */
  most: Mtu;
  ip: IpVersion;
}

/**
 * Connects QPs while `work` runs. @param wanted path MTU; smaller devices use what they support
 * @param length bytes of memory at each end @param watch of an earlier connection, if there was one
 */
export async function connected<T>(
  ctx: LabContext<SegmentationParams>,
  wanted: Mtu,
  length: number,
  watch: PacketWatch | null,
  work: (ends: Ends) => Promise<T>,
): Promise<T> {
  const { link } = ctx.params;
  const access = ['LOCAL_WRITE' as const, 'REMOTE_WRITE' as const, 'REMOTE_READ' as const];
  const client = await openSide(ctx.endpoint('client'), { length, access, link });
  const server = await openSide(ctx.endpoint('server'), { length, access, link });
  const most = Math.min(client.qp.info.mtu, server.qp.info.mtu) as Mtu;
  const mtu = Math.min(wanted, most) as Mtu;
  const on = watch ?? (await watchClient(ctx, client, server));
  const options = { mtu, ...PATIENT };
  await connectSides(ctx, [client, server], link, options);
  const ip = ipVersionOf(client.qp.info.gid);
  const result = await work({ client, server, watch: on, mtu, most, ip });
  await closeAll(client, server);
  return result;
}
