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
      const { n } = claim.match(/^(?<n>[\d,]+) packets were not captured\.$/);
      return claim.count(lost + left, 'the frames of the tap', n);
    }
    for (const [endpoint, n] of ends) {
      const shown = claim.text.split(/: |, (?=[\d,]+ )|\. /).find((part) => part.endsWith(` at ${endpoint}`));
      claim.count(n, `the frames of the tap of ${endpoint}`, shown?.split(' ')[0]);
    }
  },
};

/**
 * Checks the visible rows: No., Time, Source, Destination, Protocol, Length, Info, and the phase in a run with phases.
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
  for (const [number = '', time, src, dst, protocol, length, info = '', phase] of rows) {
    const packet = packets[Number(number) - 1];
    if (!packet) claim.fail('tshark', `${packets.length} packets`, number);
    const row = claim.about({ packet: number });
    row.figure(Number(packet.timeNs - zero) / 1e9, 'tshark', time);
    row.equal(packet.src, 'tshark', src);
    row.equal(packet.dst, 'tshark', dst);
    row.equal('RoCEv2', 'UDP port 4791', protocol);
    row.count(packet.length, 'tshark', length);
    infoOf(row, packet, info);
    if (phase) {
      const known = phasesAt(data, start + Number(packet.timeNs - zero), 1e3);
      row.holds(known.includes(phase), 'the phase events', known.join(', '));
    }
  }
}

/** Checks a line's text on a packet's BTH, RETH and AETH. Names are tshark's own, in another case. */
export function infoOf(row: Claim, packet: WirePacket, info: string): void {
  row.holds(info.toLowerCase().includes(packet.info.toLowerCase()), 'tshark', `${packet.info}, not ${info}`);
  const { msn, remote } = packet;
  const fields: [name: string, other: string | number | undefined][] = [
    ['QP', hex6(packet.destQp)],
    ['PSN', packet.psn],
    ['MSN', msn ?? undefined],
    ['va', remote ? `0x${remote.va.toString(16)}` : undefined],
    ['rkey', remote ? `0x${remote.rkey.toString(16).padStart(8, '0')}` : undefined],
    ['len', remote?.length],
  ];
  for (const [name, other] of fields)
    row.equal(
      other ?? 'none',
      `${name} by tshark`,
      new RegExp(`\\b${name}=(\\w+)`).exec(info)?.[1] ?? 'none',
    );
  row.equal(packet.payload, 'the payload that tshark reads', / payload=(\d+)/.exec(info)?.[1] ?? '0');
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
