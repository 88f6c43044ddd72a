/**
 * The cost of registered memory, measured in this process: the time of a command would include its way through the
 * pipe.
 */
import type { MEMORY_COST_OPS } from '@verbslab/protocol';
import type { Operations } from './operations.js';
import { timeRegistrations } from './timed-registrations.js';
import { timeWrites } from './timed-writes.js';

export const memoryCostOperations: Operations<keyof typeof MEMORY_COST_OPS> = {
  timeRegistrations({ pds }, { pd, offset = 0, hugePages = false, ...args }) {
    return timeRegistrations({ pd: pds.get(pd), offset, hugePages, ...args });
  },

  timeWrites({ recorder, pds, qps, cqs, mrs }, { pd, qp, cq, remote, lengths, seed, memory }) {
    return timeWrites({
      recorder,
      pd: pds.get(pd),
      qp: qps.get(qp),
      cq: cqs.get(cq),
      remote: { addr: BigInt(remote.addr), rkey: remote.rkey },
      lengths,
      seed,
      memory: memory.kind === 'copy' ? { kind: 'copy', mr: mrs.get(memory.mr) } : memory,
    });
  },
};
