import type { LineRule } from './rule.js';

/** Three significant digits. */
export function three(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 6));
}

export const PINGPONG_RULES: readonly LineRule[] = [
  {
    line: /^\s*local address:/,
    meaning:
      'What the peer must know to send here: QPN, first PSN, GID. The LID is 0 on RoCE. It went to the peer over TCP, not by RDMA.',
  },
  {
    line: /^\s*remote address:/,
    meaning:
      'The same from the peer. A connected QP goes to RTR with it; on UD it becomes an address handle.',
  },
  {
    line: /^(\d+) bytes in [\d.]+ seconds = ([\d.]+) Mbit\/sec/,
    meaning: ([, bytes, rate]) => ({
      text: 'Both directions together: 2 × size × iterations. Mbit are 10^6 bits.',
      figures: `One direction: ${Number(bytes) / 2} B at ${three(Number(rate) / 2000)} Gb/s.`,
    }),
  },
  {
    line: /^\d+ iters in [\d.]+ seconds = ([\d.]+) usec\/iter/,
    meaning: ([, usec]) => ({
      text: 'One iteration is a message each way: a full round trip. perftest would print half of it.',
      figures: `Half of it: ${three(Number(usec) / 2)} µs.`,
    }),
  },
  {
    line: /Couldn't connect to/,
    meaning: 'The TCP connection failed. Start the server first, on this port.',
  },
  {
    line: /Failed status (.+) \((\d+)\)/,
    meaning: 'A work request completed with an error; the number is its status.',
  },
];

/** Programs of librdmacm. */
export const CM_RULES: readonly LineRule[] = [
  {
    line: /^rdma_(server|client): start$/,
    meaning: 'The program begins: it resolves the address and makes its endpoint.',
  },
  {
    line: /^rdma_(server|client): end (-?\d+)$/,
    meaning: 'The return value: 0 is success, another number a failure.',
  },
  {
    line: /^(server )?ping data: /,
    meaning: 'Text that came by RDMA: READ by the server, and written back to the client.',
  },
  {
    line: /^(server|client) DISCONNECT EVENT/,
    meaning: 'The connection has ended. Receives that were still posted are flushed: that is the normal end.',
  },
  {
    line: /^wait for (\S+) state (\d+)/,
    meaning:
      'This end waited for a step that did not come. At the end of a run it is no error: the server waits for one more ping when the client leaves.',
  },
  { line: /^(cmatose|udaddy|mckey): starting (server|client)$/, meaning: 'The program begins in this role.' },
  {
    line: /^(cmatose|udaddy): connecting$/,
    meaning: 'Resolves address and route, then asks the server: REQ for a connection, SIDR REQ for UD.',
  },
  { line: /^initiating data transfers$/, meaning: 'This end posts its SENDs.' },
  { line: /^receiving data transfers$/, meaning: 'This end polls for the messages of the peer.' },
  {
    line: /^completing sends$/,
    meaning: 'Polls the completions of its SENDs. On RC each means that the peer acknowledged.',
  },
  { line: /^sending replies$/, meaning: 'Answers as many messages as it received.' },
  { line: /^data transfers complete$/, meaning: 'This end waits for no more messages.' },
  { line: /^cmatose: disconnecting$/, meaning: 'Sends DREQ on each connection.' },
  { line: /^disconnected$/, meaning: 'A DISCONNECTED event has come for each connection.' },
  {
    line: /^mckey: joining$/,
    meaning:
      'Asks to join the group. On RoCE that is an IGMP join of the IP group; no subnet manager is asked.',
  },
  {
    line: /^mckey: joined dgid: /,
    meaning: 'The GID of the group, which packets carry as destination. The mlid counts on InfiniBand only.',
  },
  { line: /^test complete$/, meaning: 'Nothing more is sent; the objects are destroyed.' },
  { line: /^return status (-?\d+)$/, meaning: 'The exit code of the program: 0 is success.' },
];
