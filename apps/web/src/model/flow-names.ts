import { qpnText } from '@verbslab/protocol';
import type { EndpointRef } from '@verbslab/roce';

/** Name of the packets from one QP to another. */
export interface FlowName {
  /** `A→B`; `?` for a QP that the capture does not show. */
  label: string;
  /** Both ends with their addresses and QP numbers. */
  title: string;
  /** Number of the pair of QPs: the same for both directions. */
  pair: number;
  /** True for the direction against that of the pair's first flow. */
  back: boolean;
  /** Names of the pair's ends, that of the first flow's sender first. */
  ends: readonly [string, string];
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
  const pairs = new Map<string, Pick<FlowName, 'pair' | 'ends'>>();
  const keyOf = (a: EndpointRef, b: EndpointRef): string => `${a.ip} ${a.qpn} ${b.ip} ${b.qpn}`;
  return flows.map(({ from, to }) => {
    const [sender, receiver] = [nameOf(from), nameOf(to)];
    const first = pairs.get(keyOf(to, from));
    const own = first ?? { pair: pairs.size, ends: [sender, receiver] as const };
    if (!first) pairs.set(keyOf(from, to), own);
    return {
      label: `${sender}→${receiver}`,
      title: `${endTitle(from)} → ${endTitle(to)}`,
      ...own,
      back: first !== undefined,
    };
  });
}
