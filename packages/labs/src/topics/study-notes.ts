/** B: what RDMA is for, and its place among protocols. */
import { fact, missing, shown, type Topic } from './topic.js';

export const STUDY_NOTES: readonly Topic[] = [
  {
    id: 'B1',
    title: 'Which overheads RDMA removes, and how',
    expected: [
      shown(
        'system calls, context switches and copies, with and without a NIC’s help',
        [{ lab: 'copies-and-calls', checks: ['sockets', 'around'], tables: ['copies', 'calls'] }],
        fact('foundations', "['WRITE', 4]"),
      ),
      shown('many requests per doorbell', [
        { lab: 'post-lists', checks: ['same-work'], curves: ['rate', 'cpu'] },
      ]),
      shown('fewer notifications', [{ lab: 'signal-every', checks: ['counted'], curves: ['rate', 'cpu'] }]),
      shown('mapped memory', [{ lab: 'registration-cost', checks: ['locked'] }]),
      shown(
        'RC repairs a lost packet; only when retry_cnt is used up does status 12 end the connection',
        [
          { lab: 'three-contracts', checks: ['delivery-kept', 'delivery-budget'] },
          { lab: 'retry-timers', checks: ['ack-status', 'ack-tries'] },
          { lab: 'unreliable-connection', checks: ['rc-repairs'] },
        ],
        fact('foundations', "'missing-tries': 4"),
        fact('failures', "[timeout, 3, '12 RETRY_EXC_ERR']"),
      ),
    ],
  },
  {
    id: 'B2',
    title: 'Queues per thread',
    expected: [
      shown(
        'own queues wait for nobody; shared queues need a lock',
        [{ lab: 'queue-per-thread', checks: ['own', 'exclusive', 'contended'], curves: ['rate', 'cpu'] }],
        fact('completions', "['shared, with a lock', threads]"),
      ),
    ],
  },
  {
    id: 'B3',
    title: 'InfiniBand, RoCE and iWARP; PAUSE and ECN',
    expected: [
      shown(
        'the four side by side, with the network that each needs; PAUSE and PFC frames, ECN',
        [{ lab: 'encapsulations', tables: ['totals', 'pause'], selfChecks: ['pfc'] }],
        fact('wire', "expect(rows('pause')).toHaveLength(2)"),
      ),
    ],
  },
  missing(
    'B4',
    'The programs of rdma-core in the order of learning',
    'They run on the device; no lab explains them while they run.',
  ),
];
