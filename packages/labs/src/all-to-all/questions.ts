import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const ALL_TO_ALL_QUESTIONS = [
  numberCheck({
    id: 'packets',
    numbers: { hosts: [4, 8, 16, 32, 64] },
    text: ({ hosts }) =>
      `${hosts} hosts run Bruck’s algorithm. Each message is one packet and gets an ACK. How many packets do all hosts send?`,
    answer: ({ hosts }) => 2 * hosts * Math.log2(hosts),
    unit: 'packets',
    tolerance: 0,
    worked: ({ hosts }) =>
      `Each host sends log2 ${hosts} = ${Math.log2(hosts)} messages: ${hosts} × ${Math.log2(hosts)} = ${hosts * Math.log2(hosts)} data packets, and as many ACKs.`,
  }),
  choiceCheck({
    id: 'gather',
    text: 'A WRITE gathers blocks from several places of local memory. Why do they arrive adjacent?',
    options: [
      { id: 'one-address', text: 'A WRITE names one remote address' },
      { id: 'one-packet', text: 'A packet can hold only one block' },
      { id: 'one-key', text: 'Each block needs an rkey of its own' },
    ],
    answer: 'one-address',
    worked: 'The gather list is local. The RETH in the packet has one address and one rkey.',
  }),
];
