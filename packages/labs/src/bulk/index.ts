import { defineLab } from '../form/define.js';
import { BULK_CHECKS } from './checks.js';
import { BULK_RULES, bulkParams } from './params.js';
import { BULK_TIMING } from './plan.js';
import { BULK_PREDICTIONS } from './questions.js';
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
    'A client sends the same data over TCP, over RDMA through the kernel, and over RDMA that bypasses the kernel. You compare goodput and CPU time.',
  short: 'RDMA and TCP',
  why: 'CPU time per gigabyte decides how many cores only move data.',
  buildsOn: ['minimal-flow', 'copies-and-calls'],
  picture: {
    sample: 'write',
    paths: true,
    focus: ['client.program', 'client.kernel', 'client.device', 'wire'],
  },
  withoutProgram:
    'The measuring loops of both transports are part of Verbs Lab. perftest does the same over RDMA: run ib_write_bw with verbslab exec.',
  timing: BULK_TIMING,
  params: bulkParams,
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      text: 'One round says nothing about spread.',
      params: { duration: 0.5, repeat: 1, omit: 0.2 },
    },
    {
      name: 'small-messages',
      title: '4 KiB messages',
      params: { size: 4096 },
    },
    {
      name: 'every-signaled',
      title: 'Every WR signaled',
      params: { signalEvery: 1 },
    },
    {
      name: 'one-at-a-time',
      title: 'One message at a time',
      params: { depth: 1, signalEvery: 1 },
    },
    {
      name: 'events',
      title: 'Sleep until completion',
      params: { completionMode: 'event' },
    },
  ],
  rules: BULK_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Starts every operation and measures it.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Registers the memory, or posts receives.',
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
  predictions: [...BULK_PREDICTIONS],
  selfChecks: BULK_SELF_CHECKS,
  wants: ['tap', 'engineCpu', 'counters', 'pinned'],
  run: runBulk,
});

export default bulk;
