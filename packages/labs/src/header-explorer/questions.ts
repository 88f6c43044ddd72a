import { PSN_MODULUS } from '@verbslab/roce';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const HEADER_EXPLORER_SELF_CHECKS = [
  numberCheck({
    id: 'pad',
    numbers: { payload: { min: 41, max: 63 } },
    text: ({ payload }) => `A WRITE carries ${payload} B. How many bytes lie between its RETH and its ICRC?`,
    answer: ({ payload }) => payload + (-payload & 3),
    unit: 'B',
    tolerance: 0,
    worked: ({ payload }) =>
      `The pad fills up to a multiple of 4: ${payload} B + ${-payload & 3} B = ${payload + (-payload & 3)} B. The pad count says ${-payload & 3}.`,
  }),
  numberCheck({
    id: 'window',
    numbers: { expected: { min: 100, max: 900 }, behind: { min: 1000, max: 9000 } },
    text: ({ expected, behind }) =>
      `A responder expects PSN ${expected}. A request with PSN ${(expected - behind + PSN_MODULUS) % PSN_MODULUS} arrives. How many packets is that behind the expected one?`,
    answer: ({ behind }) => behind,
    unit: 'packets',
    tolerance: 0,
    worked: ({ expected, behind }) =>
      `PSNs wrap at 2^24: ${expected} − ${(expected - behind + PSN_MODULUS) % PSN_MODULUS} modulo 16,777,216 = ${behind}. That is less than half of 2^24, so the request is a duplicate.`,
  }),
  choiceCheck({
    id: 'silence',
    text: 'A packet has a wrong ICRC. Why does the device not answer with a NAK?',
    options: [
      {
        id: 'trust',
        text: 'Any bit may be wrong, also those of the QPN and the PSN: it cannot know whom to answer',
      },
      { id: 'time', text: 'A NAK would take too long' },
      { id: 'udp', text: 'UDP sends the packet again by itself' },
    ],
    answer: 'trust',
    worked:
      'The QPN of the damaged packet decides whose peer gets the NAK, and it may be wrong. The device drops the packet, and the requester finds the loss by a gap or its timeout.',
  }),
];
