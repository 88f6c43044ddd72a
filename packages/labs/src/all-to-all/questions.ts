import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { costsOf } from './schedule.js';

/** Costs of one host per message and per byte, in µs. */
const timeOf = (messages: number, bytes: number, us: number, gbps: number): number =>
  messages * us + (bytes * 8) / (gbps * 1000);

export const ALL_TO_ALL_QUESTIONS = [
  numberCheck({
    id: 'packets',
    numbers: { hosts: [4, 8, 16, 32, 64] },
    text: ({ hosts }) =>
      `${hosts} hosts run Bruck’s algorithm with blocks so small that every message is one packet, and each message gets an ACK. How many packets do all hosts send together?`,
    answer: ({ hosts }) => 2 * hosts * Math.log2(hosts),
    unit: 'packets',
    tolerance: 0,
    worked: ({ hosts }) =>
      `Each host sends log2 ${hosts} = ${Math.log2(hosts)} messages: ${hosts} × ${Math.log2(hosts)} = ${hosts * Math.log2(hosts)} data packets, and as many ACKs.`,
  }),
  numberCheck({
    id: 'bytes',
    numbers: { hosts: [8, 16, 32, 64], kib: [1, 4, 16, 64] },
    text: ({ hosts, kib }) =>
      `${hosts} hosts exchange blocks of ${kib} KiB. How many KiB does Bruck’s algorithm make each host send?`,
    answer: ({ hosts, kib }) => costsOf('bruck', hosts, hosts).blocks * kib,
    unit: 'KiB',
    tolerance: 0,
    worked: ({ hosts, kib }) =>
      `Half of the ${hosts} blocks in each of ${Math.log2(hosts)} rounds: ${hosts / 2} × ${Math.log2(hosts)} × ${kib} KiB = ${costsOf('bruck', hosts, hosts).blocks * kib} KiB. Pairwise: ${(hosts - 1) * kib} KiB.`,
  }),
  numberCheck({
    id: 'gain',
    numbers: { hosts: [16, 32, 64], size: [64, 256, 1024, 16_384], us: [2, 5], gbps: [25, 100] },
    text: ({ hosts, size, us, gbps }) =>
      `${hosts} hosts exchange blocks of ${size} B. A message costs ${us} µs, and each byte its time on a link of ${gbps} Gb/s. By how many µs is Bruck faster than pairwise? Negative if it is slower.`,
    answer: ({ hosts, size, us, gbps }) =>
      timeOf(hosts - 1, (hosts - 1) * size, us, gbps) -
      timeOf(Math.log2(hosts), costsOf('bruck', hosts, hosts).blocks * size, us, gbps),
    unit: 'µs',
    worked: ({ hosts, size, us, gbps }) => {
      const rounds = Math.log2(hosts);
      const { blocks } = costsOf('bruck', hosts, hosts);
      const pairwise = timeOf(hosts - 1, (hosts - 1) * size, us, gbps);
      const bruck = timeOf(rounds, blocks * size, us, gbps);
      return `Pairwise: ${hosts - 1} × ${us} µs + ${hosts - 1} × ${size} B × 8 / ${gbps} Gb/s = ${formatNumber(pairwise)} µs. Bruck: ${rounds} × ${us} µs + ${blocks} × ${size} B × 8 / ${gbps} Gb/s = ${formatNumber(bruck)} µs. The difference is ${formatNumber(pairwise - bruck)} µs.`;
    },
  }),
  choiceCheck({
    id: 'gather',
    text: 'A message of Bruck’s algorithm takes blocks from several places of the sender’s memory. Why must they be adjacent at the receiver?',
    options: [
      { id: 'one-address', text: 'A WRITE names one remote address; only its local side is a list' },
      { id: 'one-packet', text: 'A packet can hold only one block' },
      { id: 'one-key', text: 'Each block needs an rkey of its own' },
    ],
    answer: 'one-address',
    worked:
      'The gather list is local: the device reads the pieces one after the other. The RETH in the packet has one address and one rkey, so the bytes arrive one after the other.',
  }),
];
