/** A long message at each path MTU: how much of what travels is payload. */
import { MTUS, type LabContext, type Mtu } from '@verbslab/protocol';
import type { PacketWatch } from '../wire/packet-watch.js';
import { ETHERNET_BYTES, overhead, packetBytes, shareOnEthernet, type IpVersion } from '../wire/sizes.js';
import { expectedOpcodes, packetsOf } from '../wire/segments.js';
import { connected } from './endpoints.js';
import { DATA, dataBytes, message, NAMES, OPERATIONS, type Message, type Operation } from './message.js';
import type { SegmentationParams } from './params.js';

type Context = LabContext<SegmentationParams>;

/** IP bytes of all data packets of a message, added up from the sizes of their headers. */
function expectedBytes(operation: Operation, size: number, mtu: number, ip: IpVersion): number {
  const last = size - mtu * (packetsOf(size, mtu) - 1);
  return expectedOpcodes(size, mtu, DATA[operation]).reduce(
    (sum, opcode, i, { length }) => sum + packetBytes(opcode, i + 1 < length ? mtu : last, ip),
    0,
  );
}

/** Percentage of the bytes on Ethernet that is payload. */
const share = (one: Message): number => 100 * shareOnEthernet(one.size, dataBytes(one), one.data.length);

function showOne(ctx: Context, one: Message, mtu: Mtu, ip: IpVersion): void {
  const { operation, size, data, back } = one;
  const bytes = dataBytes(one);
  ctx.row('shares', {
    mtu,
    operation: NAMES[operation],
    packets: data.length,
    predicted: expectedBytes(operation, size, mtu, ip),
    bytes,
    ofIp: (100 * size) / bytes,
    share: share(one),
    back,
  });
  ctx.point('payload', { x: mtu, y: share(one), series: NAMES[operation].toLowerCase() });
}

/** @param path the path MTU of the first part @param most the largest that both devices support */
export async function shares(
  ctx: Context,
  watch: PacketWatch,
  path: Mtu,
  most: Mtu,
): Promise<{ all: Message[]; smallest: number; largest: number }> {
  const { long } = ctx.params;
  const all: Message[] = [];
  const writes = new Map<Mtu, number>();
  for (const mtu of MTUS.filter((one) => one <= most))
    await connected(ctx, mtu, long, watch, async (ends) => {
      for (const operation of OPERATIONS) {
        const one = await message(ctx, ends, operation, long, 2 * all.length + 101);
        all.push(one);
        showOne(ctx, one, mtu, ends.ip);
        if (operation === 'RDMA_WRITE') writes.set(mtu, share(one));
      }
      const middle = overhead(DATA.RDMA_WRITE.middle, ends.ip) + ETHERNET_BYTES;
      const payload = Math.min(mtu, long);
      ctx.point('payload', { x: mtu, y: (100 * payload) / (payload + middle), series: 'formula' });
    });
  const [smallest, largest] = [writes.get(MTUS[0])!, writes.get(most)!];
  ctx.figure('share', writes.get(path)!);
  ctx.figure('share-smallest', smallest);
  ctx.figure('share-largest', largest);
  return { all, smallest, largest };
}
