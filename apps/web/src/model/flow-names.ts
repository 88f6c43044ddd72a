import { qpnText } from '@verbslab/protocol';
import type { EndpointRef } from '@verbslab/roce';

/** Name of the packets from one QP to another. */
export interface FlowName {
  /** `A→B`; `?` for a QP that the capture does not show. */
  label: string;
  /** Both ends with their addresses and QP numbers. */
  title: string;
}

/** QP of connection management. */
const CM_QP = 1;
const LETTERS = 26;

/** A, B, …, Z, AA, AB, … */
function letters(n: number): string {
  const rest = Math.floor(n / LETTERS);
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (n % LETTERS));
}

const endTitle = ({ ip, qpn, name }: EndpointRef): string =>
  `${name === undefined ? '' : `${name}, `}${ip}, ${qpn === undefined ? 'QP unknown' : `QP ${qpnText(qpn)}`}`;

/** Names of flows. QPs get their letters in the order of the flows. */
export function flowNames(flows: readonly { from: EndpointRef; to: EndpointRef }[]): FlowName[] {
  const known = new Map<string, string>();
  const nameOf = ({ ip, qpn }: EndpointRef): string => {
    if (qpn === undefined) return '?';
    if (qpn === CM_QP) return 'CM';
    const key = `${ip} ${qpn}`;
    let name = known.get(key);
    if (name === undefined) known.set(key, (name = letters(known.size)));
    return name;
  };
  return flows.map(({ from, to }) => ({
    label: `${nameOf(from)}→${nameOf(to)}`,
    title: `${endTitle(from)} → ${endTitle(to)}`,
  }));
}
