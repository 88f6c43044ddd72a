import type { StepPicture } from '@verbslab/protocol';

/** Keeps the id as a type, so that the procedure can name only steps that exist. */
const step = <const Id extends string>(s: { id: Id; title: string; text: string; picture: StepPicture }) => s;

const both = (...parts: string[]): string[] => [
  ...parts.map((part) => `client.${part}`),
  ...parts.map((part) => `server.${part}`),
];

/** What a WRITE or READ of the client touches. */
const ONE_SIDED = ['client.mr', 'client.sq', 'client.cq', 'server.qp', 'server.mr'];

/** The text of each step, in the order of the procedure, and what lights up in the picture of the two hosts. */
export const MINIMAL_FLOW_STEPS = [
  step({
    id: 'device',
    title: 'Open the device',
    text:
      'Each side opens its device, checks that the port is active and reads its GID (its RoCE address). On RoCE the port has a table of GIDs, made from its IP addresses: ' +
      'the index that a program picks decides the address in its packets. The active MTU is the largest payload of one packet.',
    picture: { uses: both('device') },
  }),
  step({
    id: 'memory',
    title: 'Register memory',
    text:
      'A protection domain groups objects: a queue pair, made in the next step, can use only memory regions of its own domain. Registering memory pins its pages, ' +
      'so that they stay where the device finds them, and gives you two keys: the lkey for your own work requests, the rkey for the peer (on most devices both have the same value). The server grants REMOTE_WRITE and REMOTE_READ; the client grants no remote access. ' +
      'The client registers a buffer of twice the message size: half to send from, half to read back into.',
    picture: { makes: both('pd', 'mr'), uses: both('device') },
  }),
  step({
    id: 'queues',
    title: 'Create the queues',
    text:
      'A queue pair is a send queue and a receive queue. Finished work is reported in a completion queue. A new QP is in RESET: it has a number and can do ' +
      'nothing yet.',
    picture: { makes: both('cq', 'qp', 'sq', 'rq'), uses: both('pd') },
  }),
  step({
    id: 'exchange',
    title: 'Exchange connection details',
    text:
      'QPs cannot look each other up, so the two sides exchange a few numbers out of band. Programs use a TCP socket or the connection manager for that; here ' +
      'Verbs Lab passes them on. QPN, first PSN and GID define the connection. The server also sends the address and the rkey of its memory, in 12 big-endian bytes: ' +
      'they let the client reach that memory.',
    picture: {
      uses: [...both('qp'), 'server.mr'],
      sends: [
        { from: 'client', to: 'server', text: 'QPN, PSN, GID', outOfBand: true },
        { from: 'server', to: 'client', text: 'the same + address, rkey', outOfBand: true },
      ],
    },
  }),
  step({
    id: 'init',
    title: 'RESET to INIT',
    text:
      'INIT binds the QP to a port and says what the peer may do through it, beside what each memory region allows. From here on you may post receives: buffers for messages that the peer SENDs, ' +
      'which this lab does not need. attr_mask tells the call which fields you have set. A missing required field, or one that is not allowed in this step, gives EINVAL.',
    picture: { uses: both('qp') },
  }),
  step({
    id: 'rtr',
    title: 'INIT to RTR',
    text:
      'RTR means ready to receive. The QP now knows its peer by GID and QPN, the path MTU, and the PSN that the first packet must have. The receiver must be in ' +
      'RTR before the other side sends, or the first packet is dropped and has to be retransmitted.',
    picture: { uses: both('qp', 'rq') },
  }),
  step({
    id: 'rts',
    title: 'RTR to RTS',
    text:
      'RTS means ready to send. You set your first PSN, the ACK timeout and the retry counts. A timeout value of 14 means 67 ms of waiting for an ACK; after seven retries the ' +
      'request fails. No RDMA packet has been sent yet: all of this was set-up. It happens once per connection and adds no cost per message.',
    picture: { uses: both('qp', 'sq') },
  }),
  step({
    id: 'write',
    title: 'WRITE into the server’s memory',
    text:
      'You post one work request with the server’s address and rkey. The device splits the message into packets of at most one path MTU: First, Middle and Last, ' +
      'or one Only packet. Only the first packet carries the RETH (RDMA extended transport header), which says where to write. The request is signaled, so it ends in a ' +
      'completion. That comes when the ACK has arrived, not when the packets have left.',
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
    text:
      'The bytes are in the server’s memory, and its completion queue is empty: the call below looks into it and finds nothing. For the WRITE itself the server’s program ' +
      'made no call and was not woken. That is what one-sided means. A server needs another way to learn that data has arrived, for example a SEND after the WRITE.',
    picture: { uses: ['server.mr', 'server.cq'] },
  }),
  step({
    id: 'read',
    title: 'READ it back',
    text:
      'For a READ, the client sends one small request. The data comes back in response packets, which take one PSN each, the first of them the request’s own. ' +
      'The responses acknowledge the request, so no separate ACK is sent. ' +
      'Again the server program does nothing and gets no completion.',
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
    text:
      'What came back must be what you sent, byte for byte. Each signaled work request made exactly one completion at the client. Both QPs are still in RTS and ' +
      'are ready for more work.',
    picture: { uses: [...both('mr', 'cq'), ...both('qp')] },
  }),
  step({
    id: 'teardown',
    title: 'Tear down',
    text:
      'Destroy in the reverse order of creation: the QP before the CQ that it uses, memory regions before their protection domain. In the wrong order the call fails with ' +
      'EBUSY. Once a region is deregistered, no device reads or writes its memory any more.',
    picture: { removes: both('qp', 'sq', 'rq', 'cq', 'mr', 'pd') },
  }),
];

export type MinimalFlowStep = (typeof MINIMAL_FLOW_STEPS)[number]['id'];
