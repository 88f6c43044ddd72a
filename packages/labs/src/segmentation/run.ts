import type { LabContext } from '@verbslab/protocol';
import { operationName } from '@verbslab/roce';
import { formatBytes, formatNumber, plural } from '../base/format.js';
import { packetBytes, type IpVersion } from '../wire/sizes.js';
import { packetsOf } from '../wire/segments.js';
import { cut } from './cut.js';
import type { Message } from './message.js';
import type { SegmentationParams } from './params.js';
import { shares } from './shares.js';

type Context = LabContext<SegmentationParams>;

function judge(ctx: Context, all: readonly Message[], ip: IpVersion): void {
  const packets = all.flatMap(({ data }) => data);
  const odd = packets.find(({ opcode, payload, length }) => length !== packetBytes(opcode, payload, ip));
  ctx.check(
    'sizes',
    !odd && packets.length > 0,
    odd
      ? `A ${operationName(odd.opcode)} with ${odd.payload} B of payload has ${odd.length ?? 'an unknown number of'} bytes. Its headers add up to ${packetBytes(odd.opcode, odd.payload, ip)}.`
      : `Each of ${plural(packets.length, 'captured data packet')} has as many bytes as its headers, payload and pad add up to.`,
  );
  const lost = all.filter(({ arrived }) => !arrived).length;
  ctx.check(
    'arrived',
    lost === 0,
    lost === 0
      ? `All ${all.length} messages arrived byte for byte.`
      : `${plural(lost, 'message')} of ${all.length} did not arrive as sent.`,
  );
}

export async function runSegmentation(ctx: Context): Promise<void> {
  const { ends, all } = await cut(ctx);
  const { watch, mtu, most, ip } = ends;
  const long = await shares(ctx, watch, mtu, most);
  ctx.draining();
  await watch.stop();
  judge(ctx, [...all, ...long.all], ip);
  const { size } = ctx.params;
  ctx.answer(
    `At a path MTU of ${mtu} B, a message of ${formatBytes(size)} travels in ${plural(packetsOf(size, mtu), 'packet')}. A READ takes one PSN per response. ` +
      `On Ethernet, payload would be ${formatNumber(long.smallest)} % of a long WRITE at 256 B per packet, and ${formatNumber(long.largest)} % at ${most} B.`,
  );
}
