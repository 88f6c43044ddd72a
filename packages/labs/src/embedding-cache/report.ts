/** Hit rates of the lookups beside the formulas. */
import { formatCount, formatNumber, plural } from '../base/format.js';
import type { Context } from './endpoints.js';
import type { HitRates, Measured } from './hit-rate.js';
import { bestHitRate, lruHitRate, popularity } from './zipf.js';

/** Standard deviations of a share of independent draws, and the error of the approximation. */
const DEVIATIONS = 4;
const APPROXIMATION = 0.015;

/** Null if no lookup found a full cache. */
const shareOf = ({ hits, lookups }: Measured): number | null => (lookups === 0 ? null : hits / lookups);

/** Distance that a share of `lookups` may have from the computed one. */
const allowedOf = (lru: number, lookups: number): number =>
  DEVIATIONS * Math.sqrt((lru * (1 - lru)) / lookups) + APPROXIMATION;

/** Resolves to the hit rate of the cache that the learner chose. */
export function reportHits(ctx: Context, { measured, requests }: HitRates): number | null {
  const { rows, skew, slots: chosen } = ctx.params;
  const shares = popularity(rows, skew);
  const found = measured.map((one) => ({
    ...one,
    share: shareOf(one),
    lru: lruHitRate(shares, one.slots),
    allowed: allowedOf(lruHitRate(shares, one.slots), one.lookups),
    best: bestHitRate(shares, one.slots),
  }));
  for (const { slots, lookups, all, misses, share, lru, allowed, best } of found) {
    const hits = share === null ? null : 100 * share;
    ctx.row('sizes', {
      ...{ slots, lookups, hits, lru: 100 * lru },
      chance: share === null ? null : 100 * allowed,
      ...{ best: 100 * best, all, reads: misses },
    });
    ctx.point('by-size', { x: slots, y: hits, series: 'measured' });
    ctx.point('by-size', { x: slots, y: 100 * lru, series: 'lru' });
    ctx.point('by-size', { x: slots, y: 100 * best, series: 'best' });
  }
  judgeHits(ctx, found);
  judgeReads(ctx, measured, requests);
  const own = found.find(({ slots }) => slots === chosen)!;
  const hits = own.share === null ? null : 100 * own.share;
  ctx.figure('hit-rate', hits, { n: own.lookups });
  ctx.figure('expected', 100 * own.lru);
  return hits;
}

function judgeHits(
  ctx: Context,
  found: readonly (Measured & { share: number | null; lru: number; allowed: number })[],
): void {
  const counted = found.flatMap(({ slots, share, lru, allowed }) => {
    if (share === null) return [];
    const right = Math.abs(share - lru) <= allowed;
    const text = `${plural(slots, 'row')}: ${formatNumber(100 * share)} %, computed ${formatNumber(100 * lru)} % ± ${formatNumber(100 * allowed)} %.`;
    return [{ right, text }];
  });
  if (counted.length === 0)
    return ctx.doesNotApply('hit-rate', 'No cache was full before the last lookup. Use more lookups.');
  ctx.check(
    'hit-rate',
    counted.every(({ right }) => right),
    counted.map(({ text }) => text).join(' '),
  );
}

function judgeReads(ctx: Context, measured: readonly Measured[], requests: number | null): void {
  const sum = (of: 'cached' | 'wrong' | 'allOfFirst' | 'missesOfFirst'): number =>
    measured.reduce((total, one) => total + one[of], 0);
  const [cached, wrong] = [sum('cached'), sum('wrong')];
  ctx.check(
    'cached',
    cached > 0 && wrong === 0,
    `${formatCount(cached - wrong)} of ${plural(cached, 'cached row')} had the bytes of their row.`,
  );
  if (requests === null) return ctx.doesNotApply('reads', 'The packets of reader 1 cannot be captured.');
  const misses = sum('missesOfFirst');
  ctx.check(
    'reads',
    requests === misses,
    `Reader 1 missed ${plural(misses, 'time')} and sent ${plural(requests, 'READ request')}. Its ${plural(sum('allOfFirst') - misses, 'hit')} sent none.`,
  );
}
