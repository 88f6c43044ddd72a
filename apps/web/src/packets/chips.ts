import { bitsOf, type Diagnosis, type Finding, type PacketColumns, type Severity } from '@verbslab/roce';

/** A finding in a few words: press it to list its packets. */
export interface Chip {
  id: string;
  severity: Severity;
  count: number;
  words: string;
  /** The finding in full. */
  text: string;
  /** Lists its packets; null for a finding without packets. */
  filter: string | null;
  /** Number of the first packet, from 1. */
  first: number | null;
}

/** Facts about a capture in which nothing is unusual. They are in the details. */
const QUIET: ReadonlySet<string> = new Set([
  'mtu',
  'goodput',
  'both-ends',
  'unmatched',
  'msn-zero',
  'clocks-apart',
]);

export const isUnusual = ({ id }: Pick<Finding, 'id'>): boolean => !QUIET.has(id);

/** Words after the number: for one, and for several where they differ. */
const WORDS: Readonly<Record<string, readonly [one: string, several?: string]>> = {
  icrc: ['wrong ICRC', 'wrong ICRCs'],
  malformed: ['malformed'],
  'unknown-opcode': ['unknown opcode', 'unknown opcodes'],
  cut: ['cut short'],
  'not-roce': ['not RoCE'],
  'link-type': ['of another link type'],
  'time-order': ['out of time order'],
  'ip-fragments': ['IP fragment', 'IP fragments'],
  pause: ['PAUSE frame', 'PAUSE frames'],
  incast: ['marked by incast'],
  ecn: ['marked by ECN'],
  cnp: ['CNP', 'CNPs'],
  'nak-sequence': ['NAK: sequence error', 'NAKs: sequence error'],
  'nak-invalid-request': ['NAK: invalid request', 'NAKs: invalid request'],
  'nak-remote-access': ['NAK: remote access error', 'NAKs: remote access error'],
  'nak-remote-operational': ['NAK: remote operational error', 'NAKs: remote operational error'],
  'nak-invalid-rd': ['NAK: invalid RD request', 'NAKs: invalid RD request'],
  'nak-reserved': ['NAK: reserved code', 'NAKs: reserved code'],
  rnr: ['RNR NAK', 'RNR NAKs'],
  'retransmission-nak': ['go-back after a NAK', 'go-backs after a NAK'],
  'retransmission-timeout': ['ACK timeout', 'ACK timeouts'],
  'retransmission-read': ['READ asked again', 'READs asked again'],
  'retransmission-lost-ack': ['go-back, ACK lost or late', 'go-backs, ACK lost or late'],
  'retransmission-before': ['go-back to before the capture', 'go-backs to before the capture'],
  'retransmission-cut': ['go-back, cause cut off', 'go-backs, cause cut off'],
  'retransmission-one-way': ['go-back, cause unknown', 'go-backs, cause unknown'],
  'retransmission-unexplained': ['go-back without a cause', 'go-backs without a cause'],
  'gap-lost': ['gap: lost', 'gaps: lost'],
  'gap-icrc': ['gap: wrong ICRC', 'gaps: wrong ICRC'],
  'gap-resent': ['gap, sent again', 'gaps, sent again'],
  'gap-uncaptured': ['gap: not captured', 'gaps: not captured'],
  'gap-open': ['gap, cause unknown', 'gaps, cause unknown'],
  'uc-gap': ['gap of UC', 'gaps of UC'],
  'ud-gap': ['gap of UD', 'gaps of UD'],
  'ack-of-unseen': ['ACK of unseen packets', 'ACKs of unseen packets'],
  'ack-not-executed': ['ACK of an ignored request', 'ACKs of ignored requests'],
  unanswered: ['unanswered'],
  'read-response-gap': ['gap in READ responses', 'gaps in READ responses'],
  'read-response-late': ['READ response late', 'READ responses late'],
  'read-response-repeated': ['READ response repeated', 'READ responses repeated'],
  reordered: ['out of order'],
  duplicated: ['captured twice'],
  doubtful: ['again or late, cause unknown'],
  'cm-refused': ['connection refused', 'connections refused'],
  'cm-unanswered': ['ConnectRequest unanswered', 'ConnectRequests unanswered'],
  'cm-repeated': ['ConnectRequest repeated', 'ConnectRequests repeated'],
  'disconnect-late': ['DisconnectReply late', 'DisconnectReplies late'],
  'no-disconnect': ['without DisconnectReply'],
  'qp-reused': ['QP number reused', 'QP numbers reused'],
  'mtu-mixed': ['not of path MTU size'],
  'mtu-below-path': ['flow below the path MTU', 'flows below the path MTU'],
};

/** Filters that pass exactly the packets of a finding, however many they are. */
const FILTERS: Readonly<Record<string, string>> = {
  icrc: 'vl.icrc_bad',
  malformed: 'vl.malformed',
  cnp: 'infiniband.bth.opcode == 0x81',
  rnr: 'infiniband.aeth.syndrome.opcode == 1',
  'nak-sequence': 'infiniband.aeth.syndrome.error_code == 0',
  'nak-invalid-request': 'infiniband.aeth.syndrome.error_code == 1',
  'nak-remote-access': 'infiniband.aeth.syndrome.error_code == 2',
  'nak-remote-operational': 'infiniband.aeth.syndrome.error_code == 3',
};

/** What lists at least the packets of a finding that names only the first of them. */
function widerFilter(id: string): string | null {
  if (id.startsWith('retransmission-')) return 'vl.retransmission';
  return id.startsWith('gap-') ? 'vl.gap' : null;
}

/** `frame.number in {1, 5..7}` */
export function numbersFilter(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const n of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && n === last[1] + 1) last[1] = n;
    else ranges.push([n, n]);
  }
  const parts = ranges.map(([from, to]) => (from === to ? String(from) : `${from}..${to}`));
  return `frame.number in {${parts.join(', ')}}`;
}

function chipOf(id: string, found: readonly Finding[]): Chip {
  const count = found.reduce((sum, { total }) => sum + total, 0);
  const packets = found.flatMap((one) => one.packets);
  const [one, several = one] = WORDS[id] ?? [id];
  const wider = count > packets.length ? widerFilter(id) : null;
  return {
    id,
    severity: found[0]!.severity,
    count,
    words: count === 1 ? one : several,
    text: found.map(({ text }) => text).join(' '),
    filter: FILTERS[id] ?? wider ?? (packets.length === 0 ? null : numbersFilter(packets)),
    first: packets.length === 0 ? null : Math.min(...packets),
  };
}

/** All retransmitted packets. The findings count how often a requester went back. */
function sentAgain({ counts }: Diagnosis, { marks }: Pick<PacketColumns, 'marks'>): Chip[] {
  const { retransmissions: count } = counts;
  if (count === 0) return [];
  const bits = bitsOf(['retransmission']);
  const first = marks.findIndex((mark) => (mark & bits) !== 0);
  return [
    {
      id: 'sent-again',
      severity: 'warning',
      count,
      words: 'sent again',
      text: 'Packets with a PSN behind one that was already sent.',
      filter: 'vl.retransmission',
      first: first < 0 ? null : first + 1,
    },
  ];
}

/** What is unusual in a capture, the most serious first. Findings of one kind in several flows are one chip. */
export function chipsOf(diagnosis: Diagnosis, columns: Pick<PacketColumns, 'marks'>): Chip[] {
  const byId = new Map<string, Finding[]>();
  for (const found of diagnosis.findings.filter(isUnusual)) {
    const same = byId.get(found.id);
    if (same) same.push(found);
    else byId.set(found.id, [found]);
  }
  const chips = [...byId].map(([id, found]) => chipOf(id, found));
  const at = chips.findIndex(({ id }) => id.startsWith('retransmission-') || id.startsWith('gap-'));
  return chips.toSpliced(at < 0 ? chips.length : at, 0, ...sentAgain(diagnosis, columns));
}
