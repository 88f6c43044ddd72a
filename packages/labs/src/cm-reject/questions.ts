import { choiceCheck, numberCheck } from '../form/self-checks.js';

/** Seconds until the request is sent for the nth time again: 0.25 s, then twice as long each time. */
const waited = (n: number): number => 0.25 * (2 ** n - 1);

export const CM_REJECT_QUESTIONS = [
  numberCheck({
    id: 'repeats',
    numbers: { n: { min: 2, max: 5 } },
    text: ({ n }) =>
      `Requests get no answer. The device repeats after 0.25 s, then waits twice as long each time. How many seconds after the first request comes repetition ${n}?`,
    answer: ({ n }) => waited(n),
    unit: 's',
    tolerance: 0.01,
    worked: ({ n }) => `${Array.from({ length: n }, (_, i) => 0.25 * 2 ** i).join(' + ')} = ${waited(n)} s.`,
  }),
  choiceCheck({
    id: 'silence',
    text: 'A server’s program never answers a request, but stays alive. What does the client get?',
    options: [
      { id: 'rejected', text: 'REJECTED at once' },
      { id: 'later', text: 'Nothing for a long time, then UNREACHABLE' },
      { id: 'established', text: 'ESTABLISHED' },
    ],
    answer: 'later',
    worked:
      'The server’s device answers each repetition with MsgRcptAck. The client gives up only after its last one.',
  }),
];
