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
  numberCheck({
    id: 'tries',
    numbers: { retry: { min: 0, max: 6 } },
    text: ({ retry }) =>
      `A QP has rnr_retry ${retry}. The peer never posts a RECV. How often is the message sent?`,
    answer: ({ retry }) => retry + 1,
    tolerance: 0,
    worked: ({ retry }) =>
      `Once, and once more for each retry: 1 + ${retry} = ${retry + 1}. Then the request completes with status 13, RNR_RETRY_EXC_ERR. With 7 it would go on until a RECV is posted.`,
  }),
  choiceCheck({
    id: 'length-of-recv',
    text: 'A server uses RECVs only for WRITEs with immediate. How large must their buffers be?',
    options: [
      { id: 'zero', text: '0 B: the data goes to the address of the WRITE' },
      { id: 'four', text: '4 B: room for the immediate' },
      { id: 'message', text: 'As large as the largest WRITE' },
    ],
    answer: 'zero',
    worked:
      'The data goes to the address that the client names. The immediate is in the completion. The RECV may have no buffer at all; the late RECV of this run had none.',
  }),
];
