import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const QUEUE_PER_THREAD_SELF_CHECKS = [
  numberCheck({
    id: 'bound',
    numbers: { held: [100, 200, 250, 500], threads: [4, 8, 16] },
    text: ({ held, threads }) =>
      `A thread holds the lock of a shared queue pair for ${held} ns per message. How many thousand messages per second can ${threads} threads send at most, with any number of CPUs?`,
    answer: ({ held }) => 1e6 / held,
    unit: 'k msg/s',
    worked: ({ held, threads }) =>
      `One thread at a time holds the lock, so at most one message per ${held} ns: 1,000,000 / ${held} = ${1e6 / held} thousand per second. It does not matter whether 2 or ${threads} threads take turns.`,
  }),
  choiceCheck({
    id: 'safe',
    text: 'The providers of rdma-core lock each queue themselves, so ibv_post_send may be called from any thread. Why does a program that shares a QP still need a lock, or atomics?',
    options: [
      {
        id: 'count',
        text: 'It counts free slots, and passes completions on to the threads that posted them',
      },
      { id: 'order', text: 'The device would send requests of two threads mixed into one packet' },
      { id: 'crash', text: 'Two calls at once damage the queue' },
    ],
    answer: 'count',
    worked:
      'The call is safe. The program’s own bookkeeping is not: how many requests are in flight, which buffer a completion frees, and which thread must be told.',
  }),
  choiceCheck({
    id: 'price',
    text: 'A server has 64 threads and 1,000 clients. What does a queue pair for each thread and client cost?',
    options: [
      {
        id: 'state',
        text: '64,000 queue pairs: memory for all of them, and misses in the NIC’s state cache',
      },
      { id: 'locks', text: '64,000 locks that threads wait for' },
      { id: 'nothing', text: 'Nothing: idle queue pairs are free' },
    ],
    answer: 'state',
    worked:
      'No thread waits for another, but each queue pair has buffers in memory and state that the NIC keeps in a small cache. With many connections, programs let a few threads own them and pass messages between threads.',
  }),
];
