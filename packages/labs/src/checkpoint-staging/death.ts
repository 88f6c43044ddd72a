/** The trainer’s process is killed in the middle of a checkpoint. */
import { RC } from '@verbslab/roce';
import { readBytes } from '../endpoints/memory.js';
import { formatBytes, plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { slotOf } from './crashes.js';
import { prepare, put, readRecord, restore, verify, writesOf, type Context, type Ends } from './endpoints.js';
import { shardPlace, slotPlace } from './layout.js';

const LOOKS_MS = 5000;

/** Bytes from the start that are alike. */
function alike(a: Uint8Array, b: Uint8Array): number {
  const end = a.findIndex((byte, i) => byte !== b[i]);
  return end < 0 ? a.length : end;
}

/** Bytes of the second shard that are there, once there are any. */
async function placedOf(ctx: Context, ends: Ends, at: number, shard: Uint8Array): Promise<number> {
  const deadline = ctx.now() + LOOKS_MS * 1e6;
  let placed = 0;
  while (placed === 0 && ctx.now() < deadline) {
    ctx.signal.throwIfAborted();
    placed = alike(shard, await readBytes(ends.staging, at, shard.length));
  }
  // The packet may have been on its way into memory.
  return alike(shard, await readBytes(ends.staging, at, shard.length));
}

/** @param epoch of the checkpoint that is never finished; the one before it is committed */
export async function killTrainer(ctx: Context, ends: Ends, epoch: number): Promise<void> {
  const { params } = ctx;
  const { trainer, staging } = ends;
  const slot = slotOf('data-first')(epoch);
  await inPhase(ctx, 'death', 'The trainer dies in the middle of a checkpoint', async () => {
    await prepare(ctx, ends, epoch, slot);
    const at = slotPlace(params, slot) + shardPlace(params, 1);
    const shard = await readBytes(trainer, at, params.shardBytes);
    const { shards } = writesOf(ctx, ends, slot);
    await put(ends, shards[0]!);
    let placed: number | null = null;
    if (trainer.endpoint.has('faults')) {
      const rules = [RC.writeMiddle, RC.writeLast].map((opcode) => ({ action: 'drop' as const, opcode }));
      await trainer.endpoint.call('faults', { rules });
      await trainer.endpoint.call('postSend', { qp: trainer.qp.qp, wr: shards[1]! });
      placed = await placedOf(ctx, ends, at, shard);
    }
    await ctx.kill('trainer');
    ctx.figure('placed', placed);
    const { completions: told } = await staging.endpoint.call('pollCq', { cq: staging.cq });
    const { state } = await staging.endpoint.call('queryQp', { qp: staging.qp.qp });
    const record = await readRecord(ends);
    const unfinished = await verify(ctx, ends, epoch, slot);
    const last = await restore(ctx, ends, slotOf('data-first'));
    ctx.figure('restored', last.epoch);
    const parts =
      placed === null
        ? 'one shard'
        : `one shard and ${formatBytes(placed)} of the ${formatBytes(params.shardBytes)} of another`;
    ctx.check(
      'death',
      record === epoch - 1 &&
        !unfinished.verified &&
        last.verified &&
        placed !== 0 &&
        placed !== shard.length,
      `The trainer left ${parts} of epoch ${epoch}, which ${unfinished.verified ? 'passes' : 'fails'} the verifying READ. The record names epoch ${record}, which ${last.verified ? 'passes' : 'fails'}.`,
    );
    ctx.check(
      'untold',
      told.length === 0 && state === 'RTS',
      `The staging host had ${plural(told.length, 'completion')}, and its QP to the trainer was in ${state}.`,
    );
  });
}
