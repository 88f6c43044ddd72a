/** A row that one WRITE brings: its packets after the first one are dropped until the reader has looked. */
import { RC } from '@verbslab/roce';
import { formatBytes } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { clear, prepare, readRow, type Context, type Ends } from './endpoints.js';
import { placedBytes, rowBytes, rowPlace, stateOf } from './row.js';

const LOOKS_MS = 5000;

/** Bytes of the row that the reader finds; waits until the first packet has been placed. */
async function placed(ctx: Context, ends: Ends): Promise<number> {
  const deadline = ctx.now() + LOOKS_MS * 1e6;
  let found = 0;
  while (found === 0 && ctx.now() < deadline) {
    ctx.signal.throwIfAborted();
    found = placedBytes(ctx.params, 1, await readRow(ctx, ends, 1));
  }
  return found;
}

/** Resolves to whether a READ found a part of the row; null where no packet can be dropped. */
export async function holdOneWrite(ctx: Context, ends: Ends): Promise<boolean | null> {
  const { writer, store } = ends;
  const { endpoint, mr, qp, cq } = writer;
  if (!endpoint.has('faults')) {
    ctx.figure('placed', null);
    ctx.doesNotApply(
      'one-write',
      `${endpoint.device.name} at the writer offers no fault injection, so the lab cannot drop packets.`,
    );
    return null;
  }
  const length = rowBytes(ctx.params);
  return inPhase(
    ctx,
    'one-write',
    'One WRITE of a whole row, of which only the first packet arrives at first',
    async () => {
      await clear(ctx, ends);
      await prepare(ctx, ends, 1);
      const rules = [RC.writeMiddle, RC.writeLast].map((opcode) => ({ action: 'drop' as const, opcode }));
      await endpoint.call('faults', { rules });
      let early = 0;
      try {
        await endpoint.call('postSend', {
          qp: qp.qp,
          wr: {
            opcode: 'RDMA_WRITE',
            local: [{ mr: mr.mr, offset: rowPlace(ctx.params, 1), length }],
            remote: remoteOf(store, rowPlace(ctx.params, 1)),
          },
        });
        early = await placed(ctx, ends);
      } finally {
        await endpoint.call('faults', {});
      }
      await completions(endpoint, cq, 1, 'RDMA WRITE');
      const state = stateOf(ctx.params, 1, await readRow(ctx, ends, 1));
      ctx.figure('placed', early);
      ctx.check(
        'one-write',
        early > 0 && early < length && state === 'complete',
        `While the other packets were dropped, a READ found ${formatBytes(early)} of the row’s ${formatBytes(length)}. After the completion of the WRITE the row was ${state === 'missing' ? 'not there' : state}.`,
      );
      return early > 0 && early < length;
    },
  );
}
