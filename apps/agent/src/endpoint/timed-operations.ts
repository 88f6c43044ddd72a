import type { Operations } from './operations.js';
import { postSend, waitCq } from './queue-operations.js';
import { traceWrites } from './traced-writes.js';

export const timedOperations: Operations<'postAndWait' | 'traceWrites'> = {
  async postAndWait(session, { qp, cq, wr, count = 1, timeoutMs }) {
    const began = process.hrtime.bigint();
    postSend(session, { qp, wr });
    const { completions } = await waitCq(session, { cq, count, timeoutMs });
    return { elapsedNs: Number(process.hrtime.bigint() - began), completions };
  },

  traceWrites,
};
