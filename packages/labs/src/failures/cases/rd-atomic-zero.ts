import { attempt, outcomeText, write } from '../bench.js';
import type { FailureCase } from '../case.js';

/** Wait of the lab on a device that never sends the READ, ms. */
const WATCHED_MS = 500;

export const rdAtomicZero: FailureCase = {
  id: 'rd-atomic-zero',
  name: 'max_rd_atomic 0',
  symptom: 'WRITEs work. READs do not.',
  cause: 'Both sides set max_rd_atomic and max_dest_rd_atomic to 0.',
  explanation:
    'The two attributes say how many READs and atomics may be under way. 0 allows none. The embedded device completes the READ with status 2 (LOC_QP_OP_ERR); other devices may refuse it or never send it. WRITEs and SENDs do not count, so the connection seems well until the first READ.',
  fix: 'Set max_rd_atomic to 1 or more, and at most to the peer’s max_dest_rd_atomic.',
  expected: { status: 2, devicesDiffer: true },
  also: [{ role: 'client', counters: ['send_err'] }],
  async run(bench, broken) {
    const depth = broken ? { maxRdAtomic: 0, maxDestRdAtomic: 0 } : { maxRdAtomic: 1, maxDestRdAtomic: 1 };
    const pair = await bench.pair(depth, depth);
    const written = await attempt(pair.client, write(pair));
    const read = await attempt(
      pair.client,
      { ...write(pair), opcode: 'RDMA_READ' },
      broken ? WATCHED_MS : 5000,
    );
    return { ...read, seen: `A WRITE before it ${outcomeText(written.status)}. ${read.seen}` };
  },
};
