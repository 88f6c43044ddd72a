import { choiceCheck, numberCheck } from '../form/self-checks.js';

/** Interval of CNPs of the embedded device: native/uroce/transport/engine.h. */
const CNP_INTERVAL_US = 50;

/** CNPs for `count` marked packets of one QP that arrive `gap` µs after each other. */
const cnps = (count: number, gap: number): number => Math.ceil((count * gap) / CNP_INTERVAL_US);

export const HW_COUNTERS_SELF_CHECKS = [
  numberCheck({
    id: 'ahead',
    numbers: { count: { min: 6, max: 20 }, lost: { min: 1, max: 5 } },
    text: ({ count, lost }) =>
      `${count} WRITEs of one packet leave in one burst. Number ${lost} is lost. By how much does out_of_sequence of the responder grow?`,
    answer: ({ count, lost }) => count - lost,
    tolerance: 0,
    worked: ({ count, lost }) =>
      `The ${count - lost} packets after the lost one arrive ahead of the expected PSN. Each counts. out_of_seq_request counts the gap, so it grows by 1.`,
  }),
  numberCheck({
    id: 'cnps',
    numbers: { count: { min: 12, max: 60 }, gap: [5, 10, 25] },
    text: ({ count, gap }) =>
      `A switch marks ${count} packets of one RC connection (ECN). They arrive ${gap} µs after each other, and the receiver sends at most one CNP per QP in 50 µs. None is lost. By how much does rp_cnp_handled of the sender grow?`,
    answer: ({ count, gap }) => cnps(count, gap),
    tolerance: 0,
    worked: ({ count, gap }) =>
      `The receiver counts all ${count} in np_ecn_marked_roce_packets. It answers the first one with a CNP, and then one in ${CNP_INTERVAL_US} µs / ${gap} µs = ${CNP_INTERVAL_US / gap}: ${count} / ${CNP_INTERVAL_US / gap}, rounded up, is ${cnps(count, gap)}. np_cnp_sent of the receiver and rp_cnp_handled of the sender grow by that.`,
  }),
  choiceCheck({
    id: 'who',
    text: 'packet_seq_err of the client grows. Where was a packet lost?',
    options: [
      { id: 'to-server', text: 'On the way from the client to the server' },
      { id: 'to-client', text: 'On the way from the server to the client' },
      { id: 'client', text: 'In the client’s receive buffer' },
    ],
    answer: 'to-server',
    worked:
      'The counter counts sequence NAKs that arrived. The server sends one when a request is missing, so a request of the client was lost. A lost response of a READ or atomic shows in implied_nak_seq_err, and a lost ACK in a timeout, unless a later ACK covers it.',
  }),
];
