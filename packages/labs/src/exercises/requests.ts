import { exercise } from './exercise.js';

const hex = (value: number, digits = 0): string => `0x${value.toString(16).padStart(digits, '0')}`;
/** Bytes of a whole number, the most significant first. */
const bytesOf = (value: number, count: number): string =>
  value
    .toString(16)
    .padStart(2 * count, '0')
    .replace(/..(?!$)/g, '$& ');
const GRH = 40;

export const REQUESTS = [
  exercise({
    id: 'fill-in-write',
    title: 'Fill in a work request',
    numbers: {
      local: { min: 0x7f0000000000, max: 0x7f000ff00000, step: 0x100000 },
      remote: { min: 0x7f0010000000, max: 0x7f001ff00000, step: 0x100000 },
      length: [512, 4096, 8192, 65_536],
      lkey: { min: 0x1000, max: 0x4fff },
      rkey: { min: 0x5000, max: 0x9fff },
      ownRkey: { min: 0xa000, max: 0xbfff },
      peerLkey: { min: 0xc000, max: 0xdfff },
    },
    text: ({ local, remote, length, lkey, rkey, ownRkey, peerLkey }) =>
      `A buffer of ${length} B at ${hex(local)} is registered with lkey ${hex(lkey)} and rkey ${hex(ownRkey)}. Write all of it to the peer’s buffer at ${hex(remote)}, whose region has lkey ${hex(peerLkey)} and rkey ${hex(rkey)}. The QP was created with sq_sig_all = 0, and the program waits for the completion. Fill in struct ibv_send_wr.`,
    fields: [
      { kind: 'number', id: 'addr', label: 'sg_list[0].addr', hex: true, answer: ({ local }) => local },
      { kind: 'number', id: 'length', label: 'sg_list[0].length', unit: 'B', answer: ({ length }) => length },
      { kind: 'number', id: 'lkey', label: 'sg_list[0].lkey', hex: true, answer: ({ lkey }) => lkey },
      { kind: 'number', id: 'sges', label: 'num_sge', answer: () => 1 },
      {
        kind: 'choice',
        id: 'opcode',
        label: 'opcode',
        options: [
          { id: 'send', text: 'IBV_WR_SEND' },
          { id: 'write', text: 'IBV_WR_RDMA_WRITE' },
          { id: 'read', text: 'IBV_WR_RDMA_READ' },
        ],
        answer: () => 'write',
      },
      {
        kind: 'choice',
        id: 'flags',
        label: 'send_flags',
        options: [
          { id: 'none', text: '0' },
          { id: 'fence', text: 'IBV_SEND_FENCE' },
          { id: 'signaled', text: 'IBV_SEND_SIGNALED' },
        ],
        answer: () => 'signaled',
      },
      {
        kind: 'number',
        id: 'raddr',
        label: 'wr.rdma.remote_addr',
        hex: true,
        answer: ({ remote }) => remote,
      },
      { kind: 'number', id: 'rkey', label: 'wr.rdma.rkey', hex: true, answer: ({ rkey }) => rkey },
    ],
    worked: ({ local, remote, length, lkey, rkey }) => [
      `The scatter/gather list names local memory: {${hex(local)}, ${length}, ${hex(lkey)}}, one entry.`,
      `The remote side is named by address and rkey: ${hex(remote)} and ${hex(rkey)}. The peer checks the rkey, this host the lkey.`,
      'With sq_sig_all = 0 and without IBV_SEND_SIGNALED the WRITE would be done, but no completion would ever come.',
    ],
    measure: { lab: 'minimal-flow', text: 'Post such a request, step by step.' },
  }),
  exercise({
    id: 'private-data',
    title: 'Private data of a connection',
    numbers: {
      addr: { min: 0x7f0000000000, max: 0x7fffff000000, step: 0x10000 },
      rkey: { min: 0x100, max: 0xffffff },
    },
    text: ({ addr, rkey }) =>
      `A server tells its clients where to write in 12 bytes of private data: the address as 64 bits and the rkey as 32 bits, both in network byte order. The address is ${hex(addr)} and the rkey ${hex(rkey)}. Which bytes does the packet carry?`,
    fields: [
      {
        kind: 'text',
        id: 'bytes',
        label: '12 bytes',
        form: 'bytes',
        answer: ({ addr, rkey }) => `${bytesOf(addr, 8)} ${bytesOf(rkey, 4)}`,
      },
    ],
    worked: ({ addr, rkey }) => [
      `Network byte order puts the most significant byte first: ${bytesOf(addr, 8)}.`,
      `Then the rkey as 4 bytes: ${bytesOf(rkey, 4)}.`,
    ],
    measure: { lab: 'connection-manager', text: 'See the private data in a capture.' },
  }),
  exercise({
    id: 'immediate',
    title: 'The immediate on the wire',
    numbers: { value: { min: 257, max: 0xffffff } },
    text: ({ value }) =>
      `A program on a little-endian host sets imm_data = htonl(${value}). Which four bytes does the packet carry?`,
    fields: [
      {
        kind: 'text',
        id: 'bytes',
        label: '4 bytes',
        form: 'bytes',
        answer: ({ value }) => bytesOf(value, 4),
      },
    ],
    worked: ({ value }) => [
      `${value} = ${hex(value, 8)}.`,
      `imm_data is in network byte order, so the packet carries ${bytesOf(value, 4)}. Without htonl the bytes would be reversed.`,
    ],
    measure: { lab: 'write-imm', text: 'Send one, and find it in the packet.' },
  }),
  exercise({
    id: 'datagram-buffer',
    title: 'A buffer for a datagram',
    numbers: { bytes: [8, 64, 100, 256, 1000] },
    text: ({ bytes }) =>
      `A UD queue pair receives a message of ${bytes} B. How large must the receive buffer be, where in it does the message begin, and what is byte_len in the completion?`,
    fields: [
      { kind: 'number', id: 'size', label: 'Buffer', unit: 'B', answer: ({ bytes }) => bytes + GRH },
      { kind: 'number', id: 'offset', label: 'Offset of the message', unit: 'B', answer: () => GRH },
      { kind: 'number', id: 'length', label: 'byte_len', unit: 'B', answer: ({ bytes }) => bytes + GRH },
    ],
    worked: ({ bytes }) => [
      `The first ${GRH} B of every buffer are kept for the GRH: ${bytes} + ${GRH} = ${bytes + GRH} B.`,
      `The message begins at offset ${GRH}, and byte_len counts both: ${bytes + GRH}.`,
    ],
    measure: { lab: 'ud-grh', text: 'Receive one, and look at the first 40 bytes.' },
  }),
];
