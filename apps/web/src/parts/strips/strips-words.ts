/** Words of the picture of many QPs. */
import { noun, plural } from '@verbslab/labs';
import { count, rate, sig3, text } from '../../format/number';
import type { QpStrips } from '../../model/strips/qp-strips';
import type { WireRate } from '../../model/strips/wire-rates';

const qpnText = (qpn: number | null): string =>
  qpn === null ? 'a QP' : `QP 0x${qpn.toString(16).padStart(6, '0')}`;

/** `256 QPs: 251 alike in RTS; QP 0x000011 ERR, QP 0x000012 SQ full; 3 more differ`. */
export function qpsWords({ qps, state, alike, odd, oddMore }: QpStrips): string {
  const where = state === null ? '' : ` in ${state}`;
  const most = alike === qps ? `all alike${where}` : `${count(alike)} alike${where}`;
  const named = odd.map(({ qpn, why }) => `${qpnText(qpn)} ${why}`).join(', ');
  const more = oddMore > 0 ? `${count(oddMore)} more differ` : '';
  return `${count(qps)} QPs: ${[most, named, more].filter(Boolean).join('; ')}`;
}

export function leftOutWords({ group, regions }: QpStrips): string {
  const columns = group === 1 ? 'a column is a QP' : `a column is ${group} QPs and shows the fullest`;
  const memory = regions === 0 ? '' : `; ${plural(regions, 'region')} ${noun(regions, 'is', 'are')} left out`;
  return `Queue fill, 0 to 100 %: ${columns}${memory}.`;
}

export const wireWords = ({ packetsPerSecond, gbps }: WireRate): string =>
  `${text(rate(packetsPerSecond)).replace('/s', ' packets/s')}, ${sig3(gbps)} Gb/s on the wire`;
