import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const QUEUE_PER_THREAD_SELF_CHECKS = [
  numberCheck({
    id: 'bound',
    numbers: { held: [100, 200, 250, 500], threads: [4, 8, 16] },
    text: ({ held, threads }) =>
      `A thread holds the lock of a shared queue pair for ${held} ns per message. How many thousand messages per second can ${threads} threads send at most?`,
    answer: ({ held }) => 1e6 / held,
    unit: 'k msg/s',
    worked: ({ held }) =>
      `At most one message per ${held} ns: 1,000,000 / ${held} = ${1e6 / held} thousand per second, whatever the number of threads.`,
  }),
  choiceCheck({
    id: 'safe',
    text: 'Any thread may call ibv_post_send. Why do threads that share a QP need a lock, or atomics?',
    options: [
      {
        id: 'count',
        text: 'For its counts of free slots and completions',
      },
      { id: 'order', text: 'The device would mix requests' },
      { id: 'crash', text: 'Two calls at once damage the queue' },
    ],
    answer: 'count',
    worked: 'The call is safe. The program’s own bookkeeping is not.',
  }),
];
