// Lists of packets, compared with tshark.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { phasesAt } from '../phases.js';
import { OPCODE, type WirePacket } from '../wire.js';

export const hex6 = (n: number): string => `0x${n.toString(16).padStart(6, '0')}`;

export const PACKETS: Roads<Evidence> = {
  'packet-phase': (claim, { data }) => {
    const { phase } = claim.match(/^Phase: (?<phase>.+)$/);
    const known = itemsOf(data, 'phase').map(({ text }) => text);
    claim.holds(known.includes(phase!), 'the phase events', known.join(', '));
  },
  arrivals: (claim, { packets }) => {
    const { once, again } = claim.match(
      /^(?<once>[\d,]+) packets, each listed once\. (?<again>[\d,]+) of them were captured twice: as they were sent and as they arrived\.$/,
    );
    // tshark's line has the communication IDs of a management datagram, which opcode and PSN do not distinguish.
    const name = ({ src, destQp, opcode, psn, info }: WirePacket): string =>
      [src, destQp, opcode, psn, destQp === 1 ? info : ''].join(' ');
    const departures = new Set(packets.filter(({ sent }) => sent).map(name));
    const copies = packets.filter((packet) => !packet.sent && departures.has(name(packet)));
    claim.count(copies.length, 'received packets whose sender is in the capture', again);
    claim.count(packets.length - copies.length, 'the other packets', once);
  },
  'packets-missing': (claim, { data }) => {
    const frames = itemsOf(data, 'packets');
    const lost = sum(frames.map(({ dropped }) => dropped));
    const beyond = itemsOf(data, 'dropped').filter(({ what }) => what === 'packets');
    const left = sum(beyond.map(({ records }) => records));
    const ends = new Map<string, number>();
    for (const { source: id, dropped } of frames) {
      const { endpoint = '' } = itemsOf(data, 'source').find(({ source }) => source === id) ?? {};
      if (dropped > 0) ends.set(endpoint, (ends.get(endpoint) ?? 0) + dropped);
    }
    if (ends.size < 2) {
      const { n } = claim.match(/^(?<n>[\d,]+) packets? (?:was|were) not captured\.$/);
      return claim.count(lost + left, 'the frames of the tap', n);
    }
    for (const [endpoint, n] of ends) {
      const shown = claim.text.split(/: |, (?=[\d,]+ )|\. /).find((part) => part.endsWith(` at ${endpoint}`));
      claim.count(n, `the frames of the tap of ${endpoint}`, shown?.split(' ')[0]);
    }
  },
};

const flowOf = ({ src, dst, destQp }: WirePacket): string => `${src} ${dst} ${destQp}`;

/** The lower bits of the opcodes that answer a request. */
const isAnswer = ({ opcode }: WirePacket): boolean => (opcode & 0x1f) >= 13 && (opcode & 0x1f) <= 18;

const PSNS = 1 << 24;

/** Distances of a packet's PSN from the first requests that it can belong to: its own flow's, or those that it answers. */
function distances(packets: readonly WirePacket[], packet: WirePacket): number[] {
  const answer = isAnswer(packet);
  const first = new Map<string, number>();
  for (const one of packets) {
    const own = answer ? one.src === packet.dst && one.dst === packet.src : flowOf(one) === flowOf(packet);
    if (own && !isAnswer(one) && !first.has(flowOf(one))) first.set(flowOf(one), one.psn);
  }
  return [...first.values()].map((psn) => ((packet.psn - psn + PSNS + PSNS / 2) % PSNS) - PSNS / 2);
}

/** `WRITE First`, `ACK`, `NAK`, `RNR NAK` */
function operationOf(packet: WirePacket): string {
  if (packet.opcode !== OPCODE.ack) return packet.info.replace(/^RC |RDMA | QP=.*$/g, '');
  return ['ACK', 'RNR NAK', 'Reserved', 'NAK'][((packet.syndrome ?? 0) >> 5) & 3]!;
}

/**
 * Checks the visible rows: No., Time, Source, Destination, QP, Opcode, PSN, Length, Info, and the phase in a run with
 * phases.
 */
export function packetRows(
  claim: Claim,
  { packets, data }: Evidence,
  rows: readonly (readonly string[])[],
): void {
  // The stream has the same packets on the clock of the run.
  const start = itemsOf(data, 'packets').reduce(
    (least, frame) => Math.min(least, frame.packets[0]?.t ?? least),
    Infinity,
  );
  // Processes are recorded side by side, so the first packet need not be the earliest.
  const zero = packets.reduce(
    (least, { timeNs }) => (timeNs < least ? timeNs : least),
    packets[0]?.timeNs ?? 0n,
  );
  claim.holds(rows.length > 0, 'tshark', `${packets.length} packets, and no row`);
  const labels = new Map<string, string>();
  for (const cells of rows) {
    const [number = '', time, src, dst, qp = '', operation = '', psn = '', length, info = '', phase] = cells;
    const packet = packets[Number(number) - 1];
    if (!packet) claim.fail('tshark', `${packets.length} packets`, number);
    const row = claim.about({ packet: number });
    row.figure(Number(packet.timeNs - zero) / 1e9, 'tshark', time);
    row.equal(packet.src, 'tshark', src);
    row.equal(packet.dst, 'tshark', dst);
    if (qp.startsWith('0x')) row.equal(hex6(packet.destQp), 'tshark', qp);
    else if (packet.destQp !== 1) {
      const flow = labels.get(qp) ?? flowOf(packet);
      labels.set(qp, flow);
      row.equal(flowOf(packet), 'the other packets with this name', flow);
    }
    if (packet.destQp !== 1) row.equal(operationOf(packet).toLowerCase(), 'tshark', operation.toLowerCase());
    if (/^[+-]/.test(psn)) {
      const known = distances(packets, packet);
      row.holds(known.includes(Number(psn)), 'the first requests of the capture', known.join(', '));
    } else row.equal(packet.psn, 'tshark', psn);
    row.count(packet.length, 'tshark', length);
    fieldsOf(row, packet, info);
    if (phase) {
      const known = phasesAt(data, start + Number(packet.timeNs - zero), 1e3);
      row.holds(known.includes(phase), 'the phase events', known.join(', '));
    }
  }
}

type NamedField = readonly [name: string, other: string | number | undefined];

function namedIn(claim: Claim, info: string, fields: readonly NamedField[]): void {
  for (const [name, other] of fields)
    claim.equal(
      other ?? 'none',
      `${name} by tshark`,
      new RegExp(`\\b${name}=(\\w+)`).exec(info)?.[1] ?? 'none',
    );
}

/** Checks what a line says of a packet's RETH, AETH and payload. */
function fieldsOf(claim: Claim, { msn, remote, payload }: WirePacket, info: string): void {
  namedIn(claim, info, [
    ['MSN', msn ?? undefined],
    ['va', remote ? `0x${remote.va.toString(16)}` : undefined],
    ['rkey', remote ? `0x${remote.rkey.toString(16).padStart(8, '0')}` : undefined],
    ['len', remote?.length],
  ]);
  claim.equal(payload, 'the payload that tshark reads', / ?payload=(\d+)/.exec(info)?.[1] ?? '0');
}

/** Checks a line's text on a packet's BTH, RETH and AETH. Names are tshark's own, in another case. */
export function infoOf(row: Claim, packet: WirePacket, info: string): void {
  row.holds(info.toLowerCase().includes(packet.info.toLowerCase()), 'tshark', `${packet.info}, not ${info}`);
  namedIn(row, info, [
    ['QP', hex6(packet.destQp)],
    ['PSN', packet.psn],
  ]);
  fieldsOf(row, packet, info);
}

/** `WRITE First 8910440`, `ACK 8910403`. */
export function labelOf({ info, psn, opcode }: WirePacket): string {
  const name = opcode === OPCODE.ack ? 'ACK' : info.replace(/^RC (RDMA )?| QP=.*$/g, '');
  return `${name} ${psn}`;
}

const FIELDS: Readonly<Record<string, (packet: WirePacket) => number | bigint | undefined>> = {
  Opcode: ({ opcode }) => opcode,
  'Destination queue pair': ({ destQp }) => destQp,
  'Packet sequence number': ({ psn }) => psn,
  'Virtual address': ({ remote }) => remote?.va,
  'Remote key': ({ remote }) => remote?.rkey,
  'DMA length': ({ remote }) => remote?.length,
  'Message sequence number': ({ msn }) => msn ?? undefined,
};

/** Checks the open layers of one packet by title and value. Tests compare packages/roce with tshark in all fields. */
export function fieldRows(claim: Claim, { packets }: Evidence, rows: readonly (readonly string[])[]): void {
  const packet = packets[Number(claim.data('packet'))]!;
  const known = rows.filter(([title = '']) => FIELDS[title] !== undefined);
  claim.holds(known.length >= 3, 'tshark', `${known.length} fields of a BTH`);
  for (const [title = '', text = ''] of known) {
    const shown = /0x[0-9a-f]+|\d[\d,]*/.exec(text)?.[0].replaceAll(',', '') ?? '';
    const other = FIELDS[title]!(packet);
    const row = claim.about({ field: title });
    row.equal(String(other), 'tshark', shown === '' ? text : String(BigInt(shown)));
  }
}
