/** The reader looks after every step of the writer, so that no order of events is left to chance. */
import { inPhase } from '../endpoints/phase.js';
import {
  clear,
  prepare,
  readRow,
  readWatermark,
  writeGroup,
  writeWatermark,
  type Context,
  type Ends,
} from './endpoints.js';
import { stateOf, type State } from './row.js';

/** Order of the WRITEs, or a reader that takes the newest row without a look at the watermark. */
export type Order = 'row-first' | 'watermark-first' | 'ignoring';

export const TITLES: Readonly<Record<Order, string>> = {
  'row-first': 'Row, then watermark',
  'watermark-first': 'Watermark, then row',
  ignoring: 'Row, then watermark, but the reader ignores it',
};

export interface Looks {
  order: Order;
  /** Rows that the reader took. */
  rows: Record<State, number>;
  /** Looks at which the watermark allowed no row yet. */
  none: number;
  /** Observations of the reader while epoch 2 was written. */
  story: { step: string; watermark: number; row: number | null; state: State | null }[];
}

const SHOWN_EPOCH = 2;

interface Step {
  text: string;
  write: () => Promise<unknown>;
}

function stepsOf(ctx: Context, ends: Ends, order: Order, epoch: number): Step[] {
  const groups = Array.from({ length: ctx.params.groups }, (_, group) => ({
    text: `WRITE of group ${group + 1}`,
    write: () => writeGroup(ctx, ends, epoch, group),
  }));
  const watermark = { text: 'WRITE of the watermark', write: () => writeWatermark(ends) };
  return order === 'watermark-first' ? [watermark, ...groups] : [...groups, watermark];
}

async function lookThrough(ctx: Context, ends: Ends, order: Order): Promise<Looks> {
  const looks: Looks = { order, rows: { complete: 0, torn: 0, missing: 0 }, none: 0, story: [] };
  await clear(ctx, ends);
  for (let epoch = 1; epoch <= ctx.params.epochs; epoch++) {
    await prepare(ctx, ends, epoch);
    for (const { text, write } of stepsOf(ctx, ends, order, epoch)) {
      await write();
      const watermark = await readWatermark(ends);
      const newest = order === 'ignoring' ? epoch : watermark;
      const row = newest > 0 ? newest : null;
      const state = row === null ? null : stateOf(ctx.params, row, await readRow(ctx, ends, row));
      if (state === null) looks.none++;
      else looks.rows[state]++;
      if (epoch === SHOWN_EPOCH) looks.story.push({ step: text, watermark, row, state });
    }
  }
  return looks;
}

export async function lookAtAll(ctx: Context, ends: Ends): Promise<Looks[]> {
  const all: Looks[] = [];
  for (const order of ['row-first', 'watermark-first', 'ignoring'] as const)
    all.push(await inPhase(ctx, order, TITLES[order], () => lookThrough(ctx, ends, order)));
  return all;
}
