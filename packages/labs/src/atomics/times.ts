/** Times of single FETCH_ADDs, READs and WRITEs of 8 bytes, in turns. */
import type { LabContext } from '@verbslab/protocol';
import { complete } from '../endpoints/verbs.js';
import { cellsOf } from '../form/common-results.js';
import { scaled, statOf } from '../base/sweep.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/memory.js';
import type { Server } from './endpoints.js';
import type { AtomicsParams } from './params.js';

const TURNS = 25;

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
      const local = [{ mr: client.mr.mr, offset: 0, length: WORD_BYTES }];
      samples[i]!.push(await complete(client, { ...wr, local, remote: remoteOf(server) }, { name }));
    }
  }
  for (const [i, { name }] of OPERATIONS.entries()) {
    ctx.row('times', { operation: name, ...cellsOf(scaled(statOf(samples[i]!), 1e-3)) });
  }
}
