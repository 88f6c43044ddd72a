import { defineLab } from '../define.js';
import { BULK_CHECKS } from './checks.js';
import { BULK_RULES, bulkParams } from './params.js';
import { runBulk } from './run.js';

export const bulk = defineLab({
  id: 'bulk',
  title: 'RDMA and TCP on bulk transfers',
  question: 'How does RDMA compare to TCP on bulk transfers?',
  summary:
    'Sends the same data over RDMA and over TCP, in messages of the same size, and compares speed, CPU time and latency. You see where the CPU time goes ' +
    '(application, NIC work, kernel), the completions, and the packets of a short transfer.',
  params: bulkParams,
  rules: BULK_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Starts every operation and measures it: the initiator.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Registers the memory that is written or read, or posts receives: the target.',
    },
  ],
  watch: ['throughput', 'cpu', 'latency', 'completions', 'counters', 'packets', 'checks'],
  checks: BULK_CHECKS.map((check) => ({ ...check })),
  wants: ['tap', 'engineCpu', 'counters', 'pinned'],
  run: runBulk,
});
