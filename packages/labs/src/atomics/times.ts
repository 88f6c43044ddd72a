/** One FETCH_ADD at a time beside one READ and one WRITE of 8 bytes, in turns. */
import type { LabContext } from '@verbslab/protocol';
import { scaled, spreadOf } from '../base/spread.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { completionFailed } from '@verbslab/protocol';
import { WORD_BYTES } from '../endpoints/words.js';
import type { Server } from './ends.js';
import type { AtomicsParams } from './params.js';

const TURNS = 25;
const WAIT_MS = 10_000;

const OPERATIONS = [
  { name: 'FETCH_ADD', wr: { opcode: 'ATOMIC_FETCH_AND_ADD' as const, add: '0x1' } },
  { name: 'READ', wr: { opcode: 'RDMA_READ' as const } },
  { name: 'WRITE', wr: { opcode: 'RDMA_WRITE' as const } },
] as const;

/** Times go from just before the post to the poll that found the completion, inside the endpoint. */
export async function timeOne(ctx: LabContext<AtomicsParams>, client: Side, server: Server): Promise<void> {
  const samples = OPERATIONS.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, { name, wr }] of OPERATIONS.entries()) {
      const { completions, elapsedNs } = await client.endpoint.call('postAndWait', {
        qp: client.qp.qp,
        cq: client.cq,
        wr: {
          ...wr,
          local: [{ mr: client.mr.mr, offset: 0, length: WORD_BYTES }],
          remote: remoteOf(server),
        },
        timeoutMs: WAIT_MS,
      });
      const status = completions[0]?.status;
      if (status !== 0) throw completionFailed(name, status ?? -1);
      samples[i]!.push(elapsedNs);
    }
  }
  for (const [i, { name }] of OPERATIONS.entries()) {
    const { median, min, max, n } = scaled(spreadOf(samples[i]!), 1e-3);
    ctx.row('times', { operation: name, median, min, max, n });
  }
}
