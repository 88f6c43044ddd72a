/** A14 to A16: virtual machines, explanations and the notebook. */
import { fact, open, shown, type Expected, type Shown, type Topic } from './topic.js';

/** A page that computes with a run of the lab. */
const explained = (what: string, lab: Shown, says: string): Expected =>
  shown(what, [lab], { test: 'apps/web/test/explanations.test.ts', says });

export const MACHINES_AND_PAGES: readonly Topic[] = [
  {
    id: 'A14',
    title: 'Two virtual machines',
    expected: [
      shown('Linux: set up and remove by one command', [], {
        test: 'e2e/vm/vm.test.ts',
        says: 'each have rxe0 and an agent with a token of its own',
      }),
      shown('set up step by step, each step checked as it takes effect', [], {
        test: 'e2e/browser/set-up.spec.ts',
        says: 'steps turn as they take effect',
      }),
      open('macOS', 'Not in the catalog yet.'),
    ],
  },
  {
    id: 'A15',
    title: 'Interactive explanations on measured data',
    expected: [
      explained(
        'averages hide spikes',
        { lab: 'averages-hide-spikes', curves: ['cumulative'] },
        'moves the mean, not the median, when the slowest are left out',
      ),
      explained(
        'averages over windows of time',
        { lab: 'averages-hide-spikes', checks: ['spikes'] },
        'shows a spike in short windows, and less of it the longer they are',
      ),
      explained(
        'polling or events',
        { lab: 'polling-events', tables: ['ways'] },
        'finds the rate from which polling costs less',
      ),
      explained(
        'slow setup and fast data path',
        { lab: 'connection-manager', tables: ['trace'] },
        'spreads the setup over the messages',
      ),
      explained(
        'loss amplification',
        { lab: 'loss-amplification', tables: ['single', 'random'] },
        'tells needed retransmissions from others',
      ),
      explained(
        'the QP state machine',
        { lab: 'qp-states', tables: ['calls'] },
        'sorts calls by transition and by state',
      ),
      explained(
        'zero copy against the copy path',
        { lab: 'copies-and-calls', tables: ['ways', 'copies'] },
        'puts two transports side by side',
      ),
      open('microburst fan-in, topology pressure, the amplification loop', 'They need the fabric simulator.'),
    ],
  },
  {
    id: 'A16',
    title: 'A lab notebook',
    expected: [
      shown('notes that stay with their run', [], {
        test: 'apps/agent/test/notebook.test.ts',
        says: 'belong to one run',
      }),
      shown(
        'the cost of moving data',
        [{ lab: 'gigabyte', checks: ['moved', 'cpu'], tables: ['costs'] }],
        fact('sockets', "'RDMA, shared memory'"),
      ),
      shown('loss and recovery', [
        { lab: 'loss-cost', figures: ['kept', 'worst'] },
        { lab: 'loss-amplification', figures: ['amplification'] },
      ]),
    ],
  },
];
