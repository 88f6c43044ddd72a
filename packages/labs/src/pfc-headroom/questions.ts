import { bytesIn, headroomOf, LONGEST_PACKET, NS_PER_METER, PAUSE_FRAME } from '../fabric/link.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

const headroomKb = (rate: number, length: number): number =>
  headroomOf(rate, (length * NS_PER_METER) / 1000, 2) / 1000;

export const PFC_HEADROOM_QUESTIONS = [
  numberCheck({
    id: 'headroom',
    numbers: { rate: [100, 200, 400], length: [20, 50, 200, 500] },
    text: ({ rate, length }) =>
      `A port of ${rate} Gb/s has ${length} m of cable. Its peer reacts to a PAUSE within 2 µs, and a packet has 4.2 KB. How much headroom does it need?`,
    answer: ({ rate, length }) => headroomKb(rate, length),
    unit: 'KB',
    worked: ({ rate, length }) => {
      const us = (2 * length * NS_PER_METER) / 1000 + 2;
      return `${rate} Gb/s × (2 × ${length} m × 5 ns/m + 2 µs) = ${bytesIn(rate, us) / 1000} KB, and two packets and a PAUSE of ${(2 * LONGEST_PACKET + PAUSE_FRAME) / 1000} KB: ${headroomKb(rate, length).toPrecision(4)} KB.`;
    },
  }),
  choiceCheck({
    id: 'packet',
    text: 'Why do two packets belong to the headroom?',
    options: [
      { id: 'both', text: 'One delays the PAUSE, and one that has begun is sent to its end' },
      { id: 'window', text: 'A window holds at least two packets' },
      { id: 'nak', text: 'The lost packet and its retransmission' },
    ],
    answer: 'both',
    worked: 'No packet is interrupted, neither by a PAUSE frame nor because of one.',
  }),
];
