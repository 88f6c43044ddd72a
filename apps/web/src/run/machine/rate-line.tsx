import { rate as perSecond, sig3 } from '../../format/number';
import type { Rate } from '../model/machine/loops';

/** What a loop or a program moves at the time, as its latest sample says. */
export function RateLine({ rate, endpoint }: { rate: Rate; endpoint: string }) {
  return (
    <span
      className="num text-12"
      data-endpoint={endpoint}
      data-transport={rate.transport}
      data-shows="machine-rate"
    >
      {messages(rate.messages)}, {sig3(rate.gbps)}&nbsp;Gb/s
    </span>
  );
}

function messages(each: number): string {
  const { value, unit } = perSecond(each);
  const factor = unit.replace('/s', '');
  return `${value}${factor === '' ? '' : `\u00a0${factor}`} messages/s`;
}
