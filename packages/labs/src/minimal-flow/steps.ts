import type { StepPicture, StepQuestion } from '@verbslab/protocol';
import { STEP_QUESTIONS } from './step-questions.js';

/** Keeps the id as a type, so that the procedure can name only steps that exist. */
const step = <const Id extends string>(s: {
  id: Id;
  title: string;
  short: string;
  text: string;
  question: StepQuestion;
  picture: StepPicture;
  c?: string;
}) => s;

const both = (...parts: string[]): string[] => [
  ...parts.map((part) => `client.${part}`),
  ...parts.map((part) => `server.${part}`),
];

/** Parts that a WRITE or READ of the client touches. */
const ONE_SIDED = ['client.mr', 'client.sq', 'client.cq', 'server.qp', 'server.mr', ...both('device')];

/** The text of each step, in the order of the procedure, and what lights up in the picture of the two hosts. */
export const MINIMAL_FLOW_STEPS = [
  step({
    id: 'device',
    title: 'Open the device',
    short: 'Device',
    question: STEP_QUESTIONS.device,
    text:
      'Each side opens its device, checks that the port is active and reads its GID, the address of the port. RoCE v2 is RDMA over UDP and IP, so a port has a GID for each of its IP ' +
      'addresses; a program picks one by its index in the GID table. The active MTU is the largest payload that one packet can carry.',
    picture: { uses: both('device') },
  }),
  step({
    id: 'memory',
    title: 'Register memory',
    short: 'Memory',
    question: STEP_QUESTIONS.memory,
    text:
      'A memory region is a buffer that the device may use. Registering it keeps its pages in memory (a NIC’s driver pins them; the embedded device locks them), and gives you two keys: the lkey, for your own work ' +
      'requests, and the rkey, for the peer (on most devices they have the same value). The server grants REMOTE_WRITE and REMOTE_READ; the client grants no remote access. ' +
      'The client registers twice the message size: half to send from, half to read back into. A queue pair can use only memory regions of its own protection domain.',
    picture: { makes: both('pd', 'mr'), uses: both('device') },
    c: `/* The data that the WRITE will carry. */
for (size_t i = 0; i < server_mr->length; ++i)
\tclient_buf[i] = (char)(31 * i + 7);`,
  }),
  step({
    id: 'queues',
    title: 'Create the queues',
    short: 'Queues',
    question: STEP_QUESTIONS.queues,
    text:
      'A queue pair (QP) is one end of a connection: a send queue and a receive queue, into which you post work requests. Finished work is reported in a completion queue (CQ), ' +
      'which several QPs can share. A new QP is in RESET: it has a number and can do nothing yet.',
    picture: { makes: both('cq', 'qp', 'sq', 'rq'), uses: both('device', 'pd') },
  }),
  step({
    id: 'exchange',
    title: 'Exchange connection details',
    short: 'Exchange',
    question: STEP_QUESTIONS.exchange,
    text:
      'QPs cannot look each other up, so the two sides exchange a few numbers out of band. Programs use a TCP socket or the connection manager for that; here ' +
      'Verbs Lab passes them on. The QPN (QP number), the first PSN (packet sequence number) and the GID of each side define the connection; the smaller of the two MTUs becomes its path MTU. ' +
      'The server also sends the address, rkey and length of its memory. With the address (8 bytes) and the rkey (4 bytes) the client can reach that memory.',
    picture: {
      uses: [...both('qp'), 'server.mr'],
      sends: [
        { from: 'client', to: 'server', text: 'QPN, PSN, GID', outOfBand: true },
        { from: 'server', to: 'client', text: 'QPN, PSN, GID; address, rkey', outOfBand: true },
      ],
    },
  }),
  step({
    id: 'init',
    title: 'RESET to INIT',
    short: 'INIT',
    question: STEP_QUESTIONS.init,
    text:
      'On its way to INIT a QP is bound to a port and told what the peer may do through it. Remote access needs two permissions: the QP’s and the memory region’s. From here on you may post receives: buffers for ' +
      'messages that the peer SENDs, which this lab does not need. attr_mask tells ibv_modify_qp which fields you have set. A missing required field, or one that is not allowed in this step, gives EINVAL.',
    picture: { uses: both('qp') },
  }),
  step({
    id: 'rtr',
    title: 'INIT to RTR',
    short: 'RTR',
    question: STEP_QUESTIONS.rtr,
    text:
      'RTR means ready to receive. The QP now knows the GID and QPN of its peer, the path MTU, and the PSN with which the peer’s packets begin. The receiver must be in ' +
      'RTR before the other side sends, or the first packet is dropped and has to be retransmitted.',
    picture: { uses: both('qp') },
  }),
  step({
    id: 'rts',
    title: 'RTR to RTS',
    short: 'RTS',
    question: STEP_QUESTIONS.rts,
    text:
      'RTS means ready to send. You set the PSN with which your own packets begin, the ACK timeout and the retry counts. The timeout is a power of two: 14 means that the device waits 4.096 µs × 2¹⁴ = 67 ms for an ACK (a NIC up to 4 times as long) ' +
      'before it retransmits, at most retry_cnt times. No RDMA packet has been sent yet: all of this was setup. On the embedded device two QPs of one host also settle on a link: shared memory, which bypasses the kernel, or UDP sockets, through it. Setup happens once per connection and adds no cost per message.',
    picture: { uses: both('qp') },
  }),
  step({
    id: 'write',
    title: 'WRITE into the server’s memory',
    short: 'WRITE',
    question: STEP_QUESTIONS.write,
    text:
      'You post one work request with the server’s address and rkey. The device splits the message into packets of at most one path MTU: WRITE First, WRITE Middle and WRITE Last, ' +
      'or one WRITE Only. The first of them carries the RETH (RDMA extended transport header), which says where to write. The request is signaled: it asks for a ' +
      'completion, which comes when the ACK has arrived, not when the packets have left.',
    picture: {
      uses: ONE_SIDED,
      sends: [
        { from: 'client', to: 'server', text: 'WRITE, with the data' },
        { from: 'server', to: 'client', text: 'ACK' },
      ],
    },
  }),
  step({
    id: 'look',
    title: 'Look at the server',
    short: 'Look',
    question: STEP_QUESTIONS.look,
    text:
      'The bytes are in the server’s memory, and its completion queue is empty: the server polls it once and finds nothing. During the WRITE the server’s program ' +
      'made no call and was not woken; its device did the work. That is what one-sided means. A hardware NIC does it without the CPU; a software device uses the CPU, in the kernel or in a thread of its own, but no call of the server’s program. A server needs another way to learn that data has arrived, for example a SEND after the WRITE.',
    picture: { uses: ['server.mr', 'server.cq'] },
  }),
  step({
    id: 'read',
    title: 'READ it back',
    short: 'READ',
    question: STEP_QUESTIONS.read,
    text:
      'For a READ, the client sends one small request. The data comes back in response packets, each with its own PSN; the first has the PSN of the request. ' +
      'The responses acknowledge the request, so no separate ACK is sent. ' +
      'Again the server’s program does nothing and gets no completion.',
    picture: {
      uses: ONE_SIDED,
      sends: [
        { from: 'client', to: 'server', text: 'READ request' },
        { from: 'server', to: 'client', text: 'responses, with the data' },
      ],
    },
  }),
  step({
    id: 'verify',
    title: 'Compare',
    short: 'Compare',
    question: STEP_QUESTIONS.verify,
    text:
      'The bytes that came back must be exactly those that you sent. Each signaled work request produced exactly one completion at the client. Both QPs are still in RTS and ' +
      'are ready for more work.',
    picture: { uses: [...both('mr', 'cq'), ...both('qp')] },
    c: `if (memcmp(server_buf, client_buf, server_mr->length)) {
\tfprintf(stderr, "The server does not hold what the client wrote\\n");
\treturn 1;
}
if (memcmp(client_buf + server_mr->length, client_buf, server_mr->length)) {
\tfprintf(stderr, "The READ brought back other bytes\\n");
\treturn 1;
}
printf("%zu bytes written and read back\\n", server_mr->length);`,
  }),
  step({
    id: 'teardown',
    title: 'Tear down',
    short: 'Tear down',
    question: STEP_QUESTIONS.teardown,
    text:
      'Destroy in the reverse order of creation: the QP before the CQ that it uses, memory regions before their protection domain. In the wrong order the call fails with ' +
      'EBUSY. Once a region is deregistered, its keys are invalid, and no peer can reach the memory with them.',
    picture: { removes: both('qp', 'sq', 'rq', 'cq', 'mr', 'pd'), uses: both('device') },
  }),
];

export type MinimalFlowStep = (typeof MINIMAL_FLOW_STEPS)[number]['id'];
