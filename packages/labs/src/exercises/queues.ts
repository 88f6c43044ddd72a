import { formatBytes, formatCount, plural } from '../base/format.js';
import { packetsOf } from '../wire/segments.js';
import { exercise } from './exercise.js';

const MIB = 1024 * 1024;
const SEND_ENTRY = 64;
const RECEIVE_ENTRY = 32;
const COMPLETION_ENTRY = 32;
const DEPTHS = [32, 64, 128, 256, 512];

export const QUEUES = [
  exercise({
    id: 'queue-memory',
    title: 'Memory of a queue pair and its CQ',
    numbers: { send: DEPTHS, receive: DEPTHS, completions: [48, 96, 192, 384, 768] },
    text: ({ send, receive, completions }) =>
      `A send queue has ${send} entries of ${SEND_ENTRY} B, a receive queue ${receive} entries of ${RECEIVE_ENTRY} B, and their completion queue ${completions} entries of ${COMPLETION_ENTRY} B. How much memory does each take?`,
    fields: [
      { kind: 'number', id: 'sq', label: 'Send queue', unit: 'B', answer: ({ send }) => send * SEND_ENTRY },
      {
        kind: 'number',
        id: 'rq',
        label: 'Receive queue',
        unit: 'B',
        answer: ({ receive }) => receive * RECEIVE_ENTRY,
      },
      {
        kind: 'number',
        id: 'qp',
        label: 'Queue pair',
        unit: 'B',
        answer: ({ send, receive }) => send * SEND_ENTRY + receive * RECEIVE_ENTRY,
      },
      {
        kind: 'number',
        id: 'cq',
        label: 'Completion queue',
        unit: 'B',
        answer: ({ completions }) => completions * COMPLETION_ENTRY,
      },
    ],
    worked: ({ send, receive, completions }) => [
      `Send queue: ${send} × ${SEND_ENTRY} B = ${formatCount(send * SEND_ENTRY)} B.`,
      `Receive queue: ${receive} × ${RECEIVE_ENTRY} B = ${formatCount(receive * RECEIVE_ENTRY)} B.`,
      `Queue pair: their sum, ${formatCount(send * SEND_ENTRY + receive * RECEIVE_ENTRY)} B.`,
      `Completion queue: ${completions} × ${COMPLETION_ENTRY} B = ${formatCount(completions * COMPLETION_ENTRY)} B.`,
    ],
    measure: { lab: 'device-facts', text: 'See how deep queues may be on this device.' },
  }),
  exercise({
    id: 'bulk-counts',
    title: 'A bulk transfer in numbers',
    numbers: {
      mib: [256, 512, 1024, 2048],
      chunk: [1, 2, 4, 8],
      signal: [4, 8, 16, 32],
      mtu: [1024, 2048, 4096],
    },
    text: ({ mib, chunk, signal, mtu }) =>
      `A program writes ${formatBytes(mib * MIB)} in chunks of ${chunk} MiB, one WRITE per chunk, and signals one in every ${signal}. The path MTU is ${mtu} B. How many work requests does it post, how many completions does it poll, and how many packets carry data?`,
    fields: [
      { kind: 'number', id: 'requests', label: 'Work requests', answer: ({ mib, chunk }) => mib / chunk },
      {
        kind: 'number',
        id: 'completions',
        label: 'Completions',
        answer: ({ mib, chunk, signal }) => mib / chunk / signal,
      },
      {
        kind: 'number',
        id: 'packets',
        label: 'Packets with data',
        answer: ({ mib, chunk, mtu }) => (mib / chunk) * packetsOf(chunk * MIB, mtu),
      },
    ],
    worked: ({ mib, chunk, signal, mtu }) => [
      `${mib} MiB / ${chunk} MiB = ${mib / chunk} work requests.`,
      `One in ${signal} is signaled: ${mib / chunk} / ${signal} = ${plural(mib / chunk / signal, 'completion')}.`,
      `Each chunk takes ${chunk} MiB / ${formatCount(mtu)} B = ${formatCount(packetsOf(chunk * MIB, mtu))} packets; ${mib / chunk} × ${formatCount(packetsOf(chunk * MIB, mtu))} = ${formatCount((mib / chunk) * packetsOf(chunk * MIB, mtu))}.`,
    ],
    measure: { lab: 'bulk', text: 'Move that much, and count all three.' },
  }),
  exercise({
    id: 'cq-size',
    title: 'How many entries must a CQ have?',
    numbers: { pairs: [2, 4, 8, 16], send: [32, 64, 128], receive: [16, 32, 64] },
    text: ({ pairs, send, receive }) =>
      `${pairs} queue pairs share one CQ. Each may have ${send} send requests and ${receive} receive requests posted, and every send request is signaled. How many entries does the CQ need so that it can never overrun?`,
    fields: [
      {
        kind: 'number',
        id: 'entries',
        label: 'Entries',
        answer: ({ pairs, send, receive }) => pairs * (send + receive),
      },
    ],
    worked: ({ pairs, send, receive }) => [
      `All requests that are posted may complete before the program polls: ${send} + ${receive} = ${send + receive} per queue pair.`,
      `${pairs} × ${send + receive} = ${pairs * (send + receive)}.`,
    ],
    measure: { lab: 'cq-overrun', text: 'See what an overrun does.' },
  }),
  exercise({
    id: 'signal-room',
    title: 'Signaling too rarely',
    numbers: { depth: [16, 32, 64, 128], every: [8, 16, 24, 48, 96, 200] },
    text: ({ depth, every }) =>
      `A send queue has ${depth} entries. The program signals one in every ${every} requests, and polls only when the queue is full. How many requests has it posted when it polls for the first time, and what happens then?`,
    fields: [
      {
        kind: 'number',
        id: 'posted',
        label: 'Requests until the queue is full',
        answer: ({ depth }) => depth,
      },
      {
        kind: 'choice',
        id: 'outcome',
        label: 'Then',
        options: [
          { id: 'goes-on', text: 'a completion frees slots' },
          { id: 'stuck', text: 'it waits forever' },
        ],
        answer: ({ depth, every }) => (every > depth ? 'stuck' : 'goes-on'),
      },
    ],
    worked: ({ depth, every }) => [
      `A slot becomes free once the completion of its request, or of a later one, has been polled. So ${depth} requests fill the queue.`,
      every > depth
        ? `The first signaled request would be number ${every}, and there is no slot for it: no completion ever comes.`
        : `Request ${every} is among them, and is signaled. Its completion frees the slots of all ${every} requests up to it.`,
    ],
    measure: { lab: 'signal-every', text: 'Fill a send queue, and see ENOMEM.' },
  }),
  exercise({
    id: 'post-list',
    title: 'What a post list saves',
    numbers: { post: [120, 200, 300, 450], each: [20, 35, 50], list: [4, 8, 16, 32] },
    text: ({ post, each, list }) =>
      `A call of ibv_post_send costs ${post} ns, and each request in it ${each} ns more. How many requests per second can one thread post one by one, and how many in lists of ${list}?`,
    fields: [
      {
        kind: 'number',
        id: 'single',
        label: 'One by one',
        unit: 'M/s',
        tolerance: 0.01,
        answer: ({ post, each }) => 1000 / (post + each),
      },
      {
        kind: 'number',
        id: 'list',
        label: 'In lists',
        unit: 'M/s',
        tolerance: 0.01,
        answer: ({ post, each, list }) => (1000 * list) / (post + list * each),
      },
    ],
    worked: ({ post, each, list }) => [
      `One by one: 1 / (${post} + ${each}) ns = ${(1000 / (post + each)).toFixed(2)} M/s.`,
      `A list of ${list} takes ${post} + ${list} × ${each} = ${formatCount(post + list * each)} ns; ${list} / ${formatCount(post + list * each)} ns = ${((1000 * list) / (post + list * each)).toFixed(2)} M/s.`,
    ],
    measure: { lab: 'post-lists', text: 'Measure both costs.' },
  }),
];
