/** WRITEs in a row to the same place, with one in some signaled, and a READ right behind them. */
import type { EndpointArgs, LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { readWord, WORD_BYTES, writeWord } from '../endpoints/memory.js';
import type { WriteReadParams } from './params.js';

type Context = LabContext<WriteReadParams>;
type Wr = EndpointArgs<'postSendList'>['wrs'][number];

/** Ids of the signaled ones among WRITEs 1 to `writes`: each `every`-th, and the last. */
export const signaledIds = (writes: number, every: number): number[] =>
  Array.from({ length: writes }, (_, i) => i + 1).filter((id) => id % every === 0 || id === writes);

/**
 * WRITE number n carries the word n. The READ lands behind the words in the client’s memory. Resolves to the completions
 * of the WRITEs.
 */
export async function batch(ctx: Context, client: Side, server: Side): Promise<number> {
  const { writes, signalEvery } = ctx.params;
  const { endpoint, qp, cq, mr } = client;
  const landing = writes * WORD_BYTES;
  for (let id = 1; id <= writes; id++) await writeWord(client, (id - 1) * WORD_BYTES, BigInt(id));
  const before = await readWord(server, 0);
  const ids = signaledIds(writes, signalEvery);
  const remote = remoteOf(server);
  const wrs: Wr[] = Array.from({ length: writes }, (_, i) => ({
    wrId: i + 1,
    opcode: 'RDMA_WRITE' as const,
    local: [{ mr: mr.mr, offset: i * WORD_BYTES, length: WORD_BYTES }],
    remote,
    signaled: ids.includes(i + 1),
  }));
  const readId = writes + 1;
  wrs.push({
    wrId: readId,
    opcode: 'RDMA_READ',
    local: [{ mr: mr.mr, offset: landing, length: WORD_BYTES }],
    remote,
  });
  await endpoint.call('postSendList', { qp: qp.qp, wrs });
  const found = (await completions(endpoint, cq, ids.length + 1, 'RDMA WRITE')).map(({ wrId }) => wrId);
  const { completions: more } = await endpoint.call('pollCq', { cq });
  const all = [...found, ...more.map(({ wrId }) => wrId)];
  const ofWrites = all.filter((id) => id !== readId).length;
  ctx.figure('batch-completions', ofWrites);
  ctx.check(
    'one-per-signaled',
    ofWrites === ids.length,
    `${writes} WRITEs, ${ids.length} of them signaled, produced ${plural(ofWrites, 'completion')}.`,
  );
  ctx.check(
    'in-order',
    all.join() === [...ids, readId].join(),
    `The completions came with wr_id ${all.join(', ')}.`,
  );
  const [left, seen] = [await readWord(server, 0), await readWord(client, landing)];
  const last = BigInt(writes);
  ctx.figure('last-word', Number(left));
  ctx.outcome('read-sees', seen === last ? 'last' : seen === before ? 'old' : 'between');
  ctx.check(
    'last-wins',
    left === last && seen === last,
    `The server’s word holds WRITE ${left}. The READ after the WRITEs returned that of WRITE ${seen}.`,
  );
  return ofWrites;
}
