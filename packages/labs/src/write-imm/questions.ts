import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { hex32, wireBytes, withoutNtohl } from './order.js';

export const WRITE_IMM_QUESTIONS = [
  numberCheck({
    id: 'ntohl',
    numbers: { value: [1, 2, 5, 256, 513] },
    text: ({ value }) =>
      `The sender means the immediate ${value} and uses htonl. A receiver on x86 forgets ntohl. Which number does it see?`,
    answer: ({ value }) => withoutNtohl(value),
    tolerance: 0,
    worked: ({ value }) =>
      `The bytes on the wire are ${wireBytes(value)}. A little-endian CPU takes the first one as the lowest: ${hex32(withoutNtohl(value))}, which is ${withoutNtohl(value)}.`,
  }),
  choiceCheck({
    id: 'length-of-recv',
    text: 'A server uses RECVs only for WRITEs with immediate. How large must their buffers be?',
    options: [
      { id: 'zero', text: '0 B' },
      { id: 'four', text: '4 B: room for the immediate' },
      { id: 'message', text: 'As large as the largest WRITE' },
    ],
    answer: 'zero',
    worked: 'The data goes to the address that the client names.',
  }),
];
