import { numberCheck } from '../form/self-checks.js';
import { GRH_BYTES } from '../endpoints/datagram.js';

export const UD_GRH_QUESTIONS = [
  numberCheck({
    id: 'buffer',
    numbers: { size: [64, 128, 200, 512, 1024] },
    text: ({ size }) =>
      `Datagrams of up to ${size} B of payload arrive. How long must each receive buffer be?`,
    answer: ({ size }) => size + GRH_BYTES,
    unit: 'B',
    tolerance: 0,
    worked: ({ size }) => `${GRH_BYTES} B of GRH and ${size} B of payload: ${size + GRH_BYTES} B.`,
  }),
  numberCheck({
    id: 'payload',
    numbers: { length: [41, 104, 296, 1064] },
    text: ({ length }) => `A completion of a UD RECV has byte_len ${length}. How much payload arrived?`,
    answer: ({ length }) => length - GRH_BYTES,
    unit: 'B',
    tolerance: 0,
    worked: ({ length }) => `${length} B − ${GRH_BYTES} B of GRH = ${length - GRH_BYTES} B.`,
  }),
];
