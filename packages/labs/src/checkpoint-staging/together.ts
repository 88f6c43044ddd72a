/** Data and record posted with one call, while the restorer watches the record. */
import { plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { completions } from '../endpoints/verbs.js';
import { slotOf } from './crashes.js';
import { prepare, readRecord, verify, writesOf, type Context, type Ends } from './endpoints.js';

const WAIT_MS = 10_000;

/** READs the record until it names this epoch, and then the checkpoint at once. */
async function watch(ctx: Context, ends: Ends, epoch: number, slot: number): Promise<string[] | null> {
  const deadline = ctx.now() + WAIT_MS * 1e6;
  while (ctx.now() < deadline) {
    ctx.signal.throwIfAborted();
    if ((await readRecord(ends)) !== epoch) continue;
    const { sums, verified } = await verify(ctx, ends, epoch, slot);
    return verified ? sums : null;
  }
  return null;
}

/** @param first epoch that is not in use yet */
export async function commitTogether(ctx: Context, ends: Ends, first: number): Promise<void> {
  const { commits } = ctx.params;
  const { endpoint, qp, cq } = ends.trainer;
  let whole = 0;
  await inPhase(ctx, 'together', 'Data and record, posted together', async () => {
    for (let epoch = first; epoch < first + commits; epoch++) {
      const slot = slotOf('data-first')(epoch);
      const sums = await prepare(ctx, ends, epoch, slot);
      const { shards, manifest, record } = writesOf(ctx, ends, slot);
      const wrs = [...[...shards, manifest].map((wr) => ({ ...wr, signaled: false })), record];
      const [found] = await Promise.all([
        watch(ctx, ends, epoch, slot),
        endpoint.call('postSendList', { qp: qp.qp, wrs }),
      ]);
      await completions(endpoint, cq, 1, 'RDMA WRITE');
      if (found?.every((sum, i) => sum === sums[i])) whole++;
    }
  });
  ctx.check(
    'together',
    whole === commits,
    `Behind ${whole} of ${plural(commits, 'record')} the restorer found the whole checkpoint, although the trainer waited for the completion of the record only.`,
  );
}
