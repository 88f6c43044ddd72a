import { defineLab } from '../define.js';
import { BULK_CHECKS } from './checks.js';
import { BULK_RULES, bulkParams } from './params.js';
import { BULK_TIMING } from './plan.js';
import { runBulk } from './run.js';

export const bulk = defineLab({
  id: 'bulk',
  track: 'sockets',
  minutes: 8,
  order: 1,
  title: 'RDMA and TCP on bulk transfers',
  question: 'How does RDMA compare to TCP, and what does bypassing the kernel save?',
  summary:
    'Sends the same data over TCP, over RDMA through the kernel, and over RDMA that bypasses the kernel, in messages of the same size. Compares speed, CPU time and latency. ' +
    'You see where the CPU time goes (application, NIC work, kernel), the completions, and the packets of a short transfer.',
  timing: BULK_TIMING,
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

export default bulk;
