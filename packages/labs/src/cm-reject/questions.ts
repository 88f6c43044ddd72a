import { choiceCheck, numberCheck } from '../form/self-checks.js';

/** Seconds until the request is sent for the nth time again: 0.25 s, then twice as long each time. */
const waited = (n: number): number => 0.25 * (2 ** n - 1);

export const CM_REJECT_QUESTIONS = [
  numberCheck({
    id: 'repeats',
    numbers: { n: { min: 2, max: 5 } },
    text: ({ n }) =>
      `Requests get no answer at all. The device sends one again after 0.25 s, and then waits twice as long each time. How many seconds after the first request does it send repetition ${n}?`,
    answer: ({ n }) => waited(n),
    unit: 's',
    tolerance: 0.01,
    worked: ({ n }) => `${Array.from({ length: n }, (_, i) => 0.25 * 2 ** i).join(' + ')} = ${waited(n)} s.`,
  }),
  choiceCheck({
    id: 'which-reason',
    text: 'A client gets REJECTED with reason 8. What do you check first?',
    options: [
      { id: 'port', text: 'Whether the server’s program runs, and on which port and port space' },
      { id: 'load', text: 'Why the server’s program refuses this client' },
      { id: 'cable', text: 'Whether packets reach the server’s host' },
    ],
    answer: 'port',
    worked:
      'Reason 8 is “invalid service ID”: the host answered, so packets arrive, but no program listens on that port. A program’s own refusal is reason 28.',
  }),
  choiceCheck({
    id: 'silence',
    text: 'A server’s program never answers a request, but stays alive. What does the client get?',
    options: [
      { id: 'rejected', text: 'REJECTED at once' },
      { id: 'later', text: 'Nothing for a long time, then UNREACHABLE' },
      { id: 'established', text: 'ESTABLISHED: the listener accepts by itself' },
    ],
    answer: 'later',
    worked:
      'When the client’s device repeats the request, the server’s device answers with MsgRcptAck, and the client waits on. It gives up only after its last repetition. So programs need a timeout of their own.',
  }),
];
