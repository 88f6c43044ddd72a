import { goodput, rate as perSecond, text } from '../../format/number';
import type { EndRate } from '../../model/machine/loops';

/** Rates at an end at the time, from the latest sample of the loop that moves the payload. */
export function RateLine({ rate }: { rate: EndRate }) {
  return (
    <span
      className="num text-12"
      data-endpoint={rate.of}
      data-transport={rate.transport}
      data-shows="machine-rate"
    >
      {rate.way === null ? '' : `${rate.way} `}
      {messages(rate.messages)}, {text(goodput(rate.gbps))}
    </span>
  );
}

function messages(each: number): string {
  const { value, unit } = perSecond(each);
  const factor = unit.replace('/s', '');
  return `${value}${factor === '' ? '' : `\u00a0${factor}`} messages/s`;
}
