import { choiceCheck, numberCheck } from '../form/self-checks.js';

const v2 = (size: number): number => 14 + 20 + 8 + 12 + 16 + size + (-size & 3) + 4 + 4;

export const ENCAPSULATIONS_SELF_CHECKS = [
  numberCheck({
    id: 'v2-frame',
    numbers: { size: [8, 30, 64, 101, 256, 1000] },
    text: ({ size }) =>
      `A WRITE Only of ${size} B travels in RoCE v2 over IPv4. How long is its Ethernet frame, with FCS?`,
    answer: ({ size }) => v2(size),
    unit: 'B',
    tolerance: 0,
    worked: ({ size }) =>
      `Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + RETH 16 + payload ${size} + pad ${-size & 3} + ICRC 4 + FCS 4 = ${v2(size)} B.`,
  }),
  choiceCheck({
    id: 'pfc',
    text: 'What does PFC add to PAUSE?',
    options: [
      { id: 'priority', text: 'It stops one of eight priorities' },
      { id: 'source', text: 'It stops only the guilty sender' },
      { id: 'drop', text: 'It names the dropped frames' },
    ],
    answer: 'priority',
    worked:
      'Both act between two neighbors, whoever caused the congestion: PAUSE stops everything, PFC one priority.',
  }),
];
