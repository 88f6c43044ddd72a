import { hexNumber } from '../base/bytes.js';
import { flag, header, uint } from '../base/header.js';
import { opcodeName } from '../base/opcodes.js';

/** Base Transport Header: the first twelve bytes of every RoCE packet. */
export const bth = header({
  id: 'bth',
  name: 'infiniband.bth',
  title: 'Base Transport Header',
  length: 12,
  fields: {
    opcode: uint(0, 1, {
      name: 'infiniband.bth.opcode',
      label: 'Opcode',
      text: (v) => `${opcodeName(v)} (${v})`,
      doc: 'Transport service (upper three bits) and operation (lower five); it decides which headers follow.',
    }),
    solicited: flag(1, 1, {
      name: 'infiniband.bth.se',
      label: 'Solicited event',
      mask: 0x80,
      doc: 'Asks for an event at a receiver that armed its completion queue for solicited completions only.',
    }),
    migReq: flag(1, 1, {
      name: 'infiniband.bth.m',
      label: 'MigReq',
      mask: 0x40,
      doc: 'State of automatic path migration; 1 where that is not used (rxe sends 0).',
    }),
    padCount: uint(1, 1, {
      name: 'infiniband.bth.padcnt',
      label: 'Pad count',
      mask: 0x30,
      doc: 'Bytes (0 to 3) added after the payload to make it a multiple of four.',
    }),
    version: uint(1, 1, {
      name: 'infiniband.bth.tver',
      label: 'Header version',
      mask: 0x0f,
      doc: 'Version of the transport header; 0.',
    }),
    pkey: uint(2, 2, {
      name: 'infiniband.bth.p_key',
      label: 'Partition key',
      text: (v) => (v === 0xffff ? '65535 (default partition)' : String(v)),
      doc: 'Partition the packet belongs to; RoCE uses the default, 0xffff.',
    }),
    fecn: flag(4, 1, {
      name: 'infiniband.bth.fecn',
      ours: true,
      label: 'FECN',
      mask: 0x80,
      doc: 'Forward congestion notification: a marked packet on its way to the receiver.',
    }),
    becn: flag(4, 1, {
      name: 'infiniband.bth.becn',
      ours: true,
      label: 'BECN',
      mask: 0x40,
      doc: 'Backward congestion notification, set on a CNP: slow down.',
    }),
    reserved6: uint(4, 1, {
      name: 'infiniband.bth.reserved6',
      ours: true,
      label: 'Reserved',
      mask: 0x3f,
      doc: 'Zero; this byte is not covered by the ICRC.',
    }),
    destQp: uint(5, 3, {
      name: 'infiniband.bth.destqp',
      label: 'Destination queue pair',
      hex: 6,
      doc: 'Number of the queue pair at the receiver; 1 is connection management, 0xffffff is multicast.',
    }),
    ackReq: flag(8, 1, {
      name: 'infiniband.bth.a',
      label: 'Acknowledge request',
      mask: 0x80,
      doc: 'The requester wants an acknowledgment now; without it the responder may wait and acknowledge many at once.',
    }),
    reserved7: uint(8, 1, {
      name: 'infiniband.bth.reserved7',
      label: 'Reserved',
      mask: 0x7f,
      doc: 'Zero; the highest bit is set by an embedded device with selective repeat, which is not standard.',
    }),
    psn: uint(9, 3, {
      name: 'infiniband.bth.psn',
      label: 'Packet sequence number',
      text: (v) => `${v} (${hexNumber(v, 6)})`,
      doc: 'Counts the packets of one direction of a QP modulo 2^24; an acknowledgment repeats the number of the request it answers, and the responses to a READ have one number each.',
    }),
  },
});
