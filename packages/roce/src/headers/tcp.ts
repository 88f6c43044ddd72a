import { flag, header, uint } from '../base/header.js';

/** TCP header without its options. Programs of perftest exchange their QP numbers over TCP before RDMA starts. */
export const tcp = header({
  id: 'tcp',
  name: 'tcp',
  title: 'Transmission Control Protocol',
  length: 20,
  fields: {
    srcPort: uint(0, 2, { name: 'tcp.srcport', label: 'Source port', doc: 'Port of the sender.' }),
    dstPort: uint(2, 2, { name: 'tcp.dstport', label: 'Destination port', doc: 'Port of the receiver.' }),
    seq: uint(4, 4, {
      name: 'tcp.seq_raw',
      label: 'Sequence number',
      doc: 'Number of the first byte of this segment; TCP counts bytes where RDMA counts packets.',
    }),
    ack: uint(8, 4, {
      name: 'tcp.ack_raw',
      label: 'Acknowledgment number',
      doc: 'Number of the next byte that the sender of this segment expects.',
    }),
    headerWords: uint(12, 1, {
      name: 'tcp.hdr_len',
      label: 'Header length',
      mask: 0xf0,
      text: (v) => `${v * 4} bytes (${v})`,
      doc: 'Length of this header in four-byte words.',
    }),
    reserved: uint(12, 1, { name: 'tcp.flags.res', label: 'Reserved', mask: 0x0e, doc: 'Must be zero.' }),
    ae: flag(12, 1, {
      name: 'tcp.flags.ae',
      label: 'Accurate ECN',
      mask: 0x01,
      doc: 'Accurate ECN feedback.',
    }),
    cwr: flag(13, 1, {
      name: 'tcp.flags.cwr',
      label: 'Congestion window reduced',
      mask: 0x80,
      doc: 'The sender has slowed down; on a SYN, part of the offer to use ECN.',
    }),
    ece: flag(13, 1, {
      name: 'tcp.flags.ece',
      label: 'ECN echo',
      mask: 0x40,
      doc: 'The receiver saw congestion marks; on a SYN, part of the offer to use ECN.',
    }),
    urg: flag(13, 1, {
      name: 'tcp.flags.urg',
      label: 'Urgent',
      mask: 0x20,
      doc: 'The urgent pointer counts.',
    }),
    ackFlag: flag(13, 1, {
      name: 'tcp.flags.ack',
      label: 'Acknowledgment',
      mask: 0x10,
      doc: 'The acknowledgment number counts.',
    }),
    push: flag(13, 1, {
      name: 'tcp.flags.push',
      label: 'Push',
      mask: 0x08,
      doc: 'Deliver the data without waiting for more.',
    }),
    reset: flag(13, 1, {
      name: 'tcp.flags.reset',
      label: 'Reset',
      mask: 0x04,
      doc: 'Ends the connection at once.',
    }),
    syn: flag(13, 1, { name: 'tcp.flags.syn', label: 'Syn', mask: 0x02, doc: 'Opens the connection.' }),
    fin: flag(13, 1, {
      name: 'tcp.flags.fin',
      label: 'Fin',
      mask: 0x01,
      doc: 'No more data from this side.',
    }),
    window: uint(14, 2, {
      name: 'tcp.window_size_value',
      label: 'Window',
      doc: 'Bytes the sender is ready to take, before scaling.',
    }),
    checksum: uint(16, 2, {
      name: 'tcp.checksum',
      label: 'Checksum',
      hex: 4,
      doc: 'Checksum of the segment.',
    }),
    urgent: uint(18, 2, { name: 'tcp.urgent_pointer', label: 'Urgent pointer', doc: 'End of urgent data.' }),
  },
});
