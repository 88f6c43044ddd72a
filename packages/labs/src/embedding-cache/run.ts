import { closeAll } from '../endpoints/scope.js';
import { median } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { fillTable, openEnds, type Context, type Ends } from './endpoints.js';
import { measureHitRates } from './hit-rate.js';
import { changeRows, type Found } from './invalidation.js';
import { readRow } from './lookup.js';
import { reportHits } from './report.js';

const TIMED = 20;

export async function runEmbeddingCache(ctx: Context): Promise<void> {
  const { slots, rows } = ctx.params;
  const ends = await openEnds(ctx);
  await fillTable(ctx, ends);
  const readUs = await timeReads(ctx, ends);
  const hits = reportHits(ctx, await measureHitRates(ctx, ends));
  const hit = hits === null ? null : hits / 100;
  ctx.figure('lookup-time', hit === null ? null : readUs * (1 - hit));
  ctx.figure('saved', hit === null ? null : readUs * hit);
  const found = await changeRows(ctx, ends, slots);
  ctx.draining();
  await closeAll(...ends.readers, ends.trainer, ends.table);
  judge(ctx, found);
  const [acknowledged, completion, late] = (['acknowledged', 'completion', 'under-way'] as const).map((id) =>
    found.find(({ way }) => way.id === id)!,
  );
  ctx.answer(
    `With ${formatNumber((100 * slots) / rows)} % of the rows in the cache, ${hits === null ? 'no lookup counted, because no cache was full' : `${formatNumber(hits)} % of the lookups hit and sent no packet`}. ` +
      `After an invalidation that only the devices had acknowledged, ${completion!.stale} of ${plural(completion!.lookups, 'lookup')} gave an old row; with the readers’ own answers it was ${acknowledged!.stale} of ${acknowledged!.lookups}.`,
  );
  ctx.note(
    `${late!.stale} of ${plural(late!.lookups, 'lookup')} gave an old row where a reader installed what an older READ had brought, although it had answered.`,
  );
}

/** Resolves to the median, µs. */
async function timeReads(ctx: Context, { readers, table }: Ends): Promise<number> {
  const times: number[] = [];
  for (let row = 0; row < TIMED; row++) times.push((await readRow(ctx, readers[0]!, table, row, 0)) / 1000);
  ctx.figure('read-time', median(times), { min: Math.min(...times), max: Math.max(...times), n: TIMED });
  return median(times);
}

function judge(ctx: Context, found: readonly Found[]): void {
  for (const { way, lookups, stale } of found) {
    ctx.row('ways', { way: way.title, lookups, stale });
    const detail = `${stale} of ${plural(lookups, 'lookup')} gave an older version than the table had.`;
    // The steps of the other three are planned so that every lookup finds the old row.
    ctx.check(way.id, way.id === 'acknowledged' ? stale === 0 : stale === lookups, detail);
    if (way.id === 'completion' || way.id === 'acknowledged')
      ctx.figure(`stale-${way.id}`, stale, { n: lookups });
    if (way.id === 'completion') ctx.outcome('trust', stale > 0 ? 'yes' : 'no');
    if (way.id === 'too-early') ctx.outcome('order', stale > 0 ? 'stale' : 'safe');
  }
}
