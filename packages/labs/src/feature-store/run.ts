import { closeAll } from '../endpoints/scope.js';
import { plural } from '../base/format.js';
import { openEnds, type Context } from './endpoints.js';
import { lookAtAll, TITLES, type Looks } from './looks.js';
import { holdOneWrite } from './one-write.js';
import { timeCommits } from './timing.js';

export async function runFeatureStore(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  const all = await lookAtAll(ctx, ends);
  for (const looks of all) show(ctx, looks);
  for (const looks of all) judge(ctx, looks);
  await timeCommits(ctx, ends);
  const halfway = await holdOneWrite(ctx, ends);
  if (halfway !== null) ctx.outcome('one-write', halfway ? 'yes' : 'no');
  ctx.draining();
  await closeAll(ends.writer, ends.reader, ends.store);
  const torn = (order: Looks['order']): number => all.find((one) => one.order === order)!.rows.torn;
  ctx.answer(
    `The writer writes the row first and then the watermark, and the reader takes no row above it: the row was torn at ${torn('row-first')} looks. ` +
      `With the watermark first it was torn at ${torn('watermark-first')}, and with a reader that ignores the watermark at ${torn('ignoring')}.`,
  );
}

const looksOf = ({ rows, none }: Looks): number => none + rows.complete + rows.torn + rows.missing;

function show(ctx: Context, looks: Looks): void {
  const { order, rows, none, story } = looks;
  ctx.figure(`torn-${order}`, rows.torn, { n: looksOf(looks) });
  ctx.row('orders', { order: TITLES[order], looks: looksOf(looks), none, ...rows });
  for (const { step, watermark, row, state } of story)
    ctx.row('story', {
      order: TITLES[order],
      step,
      watermark,
      row,
      state: state === 'missing' ? 'not there' : state,
    });
}

function judge(ctx: Context, looks: Looks): void {
  const { order, rows } = looks;
  const { epochs, groups } = ctx.params;
  // Torn rows: after each WRITE of a group but the last one.
  const computed = order === 'row-first' ? 0 : epochs * (groups - 1);
  const right = rows.torn === computed && (order === 'watermark-first' ? epochs : 0) === rows.missing;
  ctx.check(
    order,
    right && rows.complete > 0,
    `At ${rows.torn} of ${plural(looksOf(looks), 'look')} the row that the reader took was torn (computed ${computed}), at ${rows.complete} it was complete, and at ${rows.missing} it was not there.`,
  );
}
