import { defineLab } from '../form/define.js';
import { BULK_CHECKS } from './checks.js';
import { BULK_RULES, bulkParams } from './params.js';
import { BULK_TIMING } from './plan.js';
import { runBulk } from './run.js';
import { BULK_SELF_CHECKS } from './self-checks.js';

export const bulk = defineLab({
  id: 'bulk',
  track: 'sockets',
  minutes: 8,
  order: 1,
  title: 'RDMA and TCP on bulk transfers',
  question: 'How does RDMA compare to TCP, and what does bypassing the kernel save?',
  summary:
    'A client sends the same data over TCP, over RDMA through the kernel, and over RDMA that bypasses the kernel, in messages of the same size. You compare speed and CPU time. ' +
    'You see where the CPU time goes (application, NIC work, kernel), the completions, and the packets of a short transfer.',
  withoutProgram:
    'The measuring loops of both transports are part of Verbs Lab. perftest does the same over RDMA: run ib_write_bw with verbslab exec.',
  timing: BULK_TIMING,
  params: bulkParams,
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      text: 'One round of half a second each. Figures of one round say nothing about spread.',
      params: { duration: 0.5, repeat: 1, omit: 0.2 },
    },
    {
      name: 'small-messages',
      title: '4 KiB messages',
      text: 'The cost of each message matters more.',
      params: { size: 4096 },
    },
    {
      name: 'every-signaled',
      title: 'Every WR signaled',
      text: 'Each work request produces a completion that the program has to poll.',
      params: { signalEvery: 1 },
    },
    {
      name: 'one-at-a-time',
      title: 'One message at a time',
      text: 'RDMA messages do not overlap, so their round trip decides. TCP has no depth.',
      params: { depth: 1, signalEvery: 1 },
    },
    {
      name: 'events',
      title: 'Sleep until completion',
      text: 'The program waits for events instead of polling.',
      params: { completionMode: 'event' },
    },
  ],
  rules: BULK_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Starts every operation and measures it. It is the initiator.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Registers the memory that is written or read, or posts receives. It is the target.',
    },
  ],
  watch: [
    'findings',
    'goodput',
    'cost',
    'cpu',
    'latency',
    'completions',
    'problems',
    'counters',
    'packets',
    'checks',
  ],
  checks: BULK_CHECKS.map((check) => ({ ...check })),
  selfChecks: BULK_SELF_CHECKS,
  wants: ['tap', 'engineCpu', 'counters', 'pinned'],
  run: runBulk,
});

export default bulk;
