import { defineLab } from '../define.js';
import { BULK_CHECKS } from './checks.js';
import { bulkParams } from './params.js';
import { runBulk } from './run.js';

export const bulk = defineLab({
  id: 'bulk',
  title: 'RDMA and TCP on bulk transfers',
  question: 'How does RDMA compare to TCP on bulk transfers?',
  summary:
    'The same bytes go the same way twice: as RDMA work requests and as a TCP stream, in the same chunks. You see goodput against CPU, where the CPU time goes ' +
    '(application, NIC work, kernel), how long requests take, the completions, and packets of a short transfer.',
  params: bulkParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the work requests, and writes the stream.' },
    { name: 'server', title: 'Server', text: 'Lends its memory, and reads the stream.' },
  ],
  watch: ['throughput', 'cpu', 'latency', 'completions', 'counters', 'packets', 'checks'],
  checks: BULK_CHECKS.map((check) => ({ ...check })),
  wants: ['tap', 'engineCpu', 'counters', 'pinned'],
  run: runBulk,
});
