import type { FilterField, Visit } from './fields.js';

const field = (
  name: string,
  type: FilterField['type'],
  label: string,
  doc: string,
  visit: Visit,
): FilterField => ({ name, type, label, doc, visit, inWireshark: true, max: 0xffffffffn });

/** Fields of a packet that are not part of its bytes. */
export const frameFields = (): FilterField[] => [
  field('frame', 'protocol', 'Frame', 'All bytes of the packet.', (view, see) => see(view.packet.data)),
  field('frame.number', 'uint', 'Number', 'Number of the packet in the capture, from 1.', (view, see) =>
    see(view.packet.index + 1),
  ),
  field('frame.len', 'uint', 'Length', 'Bytes of the packet on the wire.', (view, see) =>
    see(view.packet.originalLength),
  ),
  field('frame.cap_len', 'uint', 'Captured length', 'Bytes of the packet in the capture.', (view, see) =>
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
];
