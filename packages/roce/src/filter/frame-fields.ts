import { Mark } from '../models/marks.js';
import type { FilterField, Visit } from './fields.js';

const field = (
  name: string,
  type: FilterField['type'],
  label: string,
  doc: string,
  visit: Visit,
): FilterField => ({ name, type, label, doc, visit, inWireshark: true, max: 0xffffffffn, source: 'record' });

/** A field whose value is in the bytes, though no header has it. */
function bytes(...of: Parameters<typeof field>): FilterField {
  const { source: _, ...rest } = field(...of);
  return rest;
}

/** Present in packets with one of these marks, like the fields `tcp.analysis` of Wireshark. */
const marked = (name: string, label: string, doc: string, bits: number): FilterField => ({
  ...field(name, 'protocol', label, doc, ({ packet }, see) =>
    ((packet.marks ?? 0) & bits) === 0 ? false : see(packet.data),
  ),
  inWireshark: false,
  source: 'marks',
});

/** Fields that say what role a packet has in its connection. */
const roleFields = (): FilterField[] => [
  marked(
    'vl.retransmission',
    'Retransmission',
    'The PSN is behind one that the requester already sent.',
    Mark.retransmission,
  ),
  marked('vl.duplicate', 'Duplicate', 'The capture already holds this PSN.', Mark.duplicate),
  marked('vl.gap', 'After a gap', 'Packets before this one are missing from the capture.', Mark.gap),
  marked(
    'vl.arrival',
    'Arrival',
    'The packet as it arrived; the capture also holds it as it was sent.',
    Mark.copy,
  ),
  marked(
    'vl.nak',
    'NAK or RNR NAK',
    'The responder refused a request or was not ready.',
    Mark.nak | Mark.rnr,
  ),
  marked('vl.icrc_bad', 'Wrong ICRC', 'The ICRC does not match the bytes of the packet.', Mark['icrc-bad']),
  marked('vl.malformed', 'Malformed', 'The headers do not fit into the packet.', Mark.malformed),
];

/** Fields of a packet that are not part of its bytes. */
export const frameFields = (): FilterField[] => [
  bytes('frame', 'protocol', 'Frame', 'All bytes of the packet.', (view, see) => see(view.packet.data)),
  field('frame.number', 'uint', 'Number', 'Number of the packet in the capture, from 1.', (view, see) =>
    see(view.packet.index + 1),
  ),
  field('frame.len', 'uint', 'Length', 'Bytes of the packet on the wire.', (view, see) =>
    see(view.packet.originalLength),
  ),
  bytes('frame.cap_len', 'uint', 'Captured length', 'Bytes of the packet in the capture.', (view, see) =>
    see(view.packet.data.length),
  ),
  field('frame.time_relative', 'time', 'Time', 'Seconds since the first packet.', (view, see) =>
    see(BigInt(Math.round(view.packet.t))),
  ),
  field(
    'frame.time_delta',
    'time',
    'Time delta',
    'Seconds since the packet before it in the capture.',
    ({ packet: { t, previousT = t } }, see) => see(BigInt(Math.round(t - previousT))),
  ),
  field('frame.time_epoch', 'time', 'Epoch time', 'Seconds since 1970-01-01 UTC.', (view, see) =>
    see(view.packet.timeNs),
  ),
  field('frame.comment', 'string', 'Comment', 'Comment on the packet in the capture file.', (view, see) =>
    (view.packet.comments ?? []).some(see),
  ),
  ...roleFields(),
];
