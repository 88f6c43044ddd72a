import type { PacketRate } from '@verbslab/protocol';
import { bitRate, rate as perSecond } from '../../format/number';

/** A rate of packets, in bits where the device counts bytes. */
export function RateText({ rate, shows }: { rate: PacketRate; shows: string }) {
  const { value, unit } = rate.bytes === null ? perSecond(rate.packets) : bitRate(rate.bytes);
  return (
    <span
      className="num whitespace-nowrap"
      data-shows={shows}
      data-bytes={rate.bytes === null ? 'no' : 'yes'}
    >
      {value}
      <span className="unit">&nbsp;{rate.bytes === null ? `${unit.replace('/s', '')}packets/s` : unit}</span>
    </span>
  );
}
