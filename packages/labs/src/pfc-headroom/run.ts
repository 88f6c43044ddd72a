import type { Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { heightOf } from '../form/common-results.js';
import { statOf, type Stat } from '../base/sweep.js';
import { FULL_PACKET } from '../fabric/link.js';
import { seedsOf } from '../fabric/params.js';
import { dropsOf } from '../fabric/samples.js';
import type { Context } from './params.js';
import { driverOf, formulaOf, LENGTHS, PARTS, scenarioOf, type Place } from './scenario.js';

const FASTER = 4;

export async function runPfcHeadroom(ctx: Context): Promise<void> {
  const { length, rate } = ctx.params;
  const places: Place[] = [...new Set([...LENGTHS, length])]
    .sort((a, b) => a - b)
    .map((one) => ({ length: one, rate }));
  const found: { place: Place; needed: number }[] = [];
  for (const [i, place] of places.entries()) {
    ctx.progress(i / (places.length + 2), `The headroom that ${place.length} m need`);
    const needed = await neededAt(ctx, place);
    found.push({ place, needed });
    showPlace(ctx, place, needed);
  }
  const faster = { length, rate: FASTER * rate };
  ctx.progress(places.length / (places.length + 2), `The headroom at ${faster.rate} Gb/s`);
  const fast = await neededAt(ctx, faster);
  const lost = await loseAt(ctx, { length, rate });
  const own = found.find(({ place }) => place.length === length)!.needed;
  judge(ctx, lost, [...found, { place: faster, needed: fast }]);
  conclude(ctx, { own, fast, lost });
}

/**
 * The smallest headroom with which no seed loses a packet, to a packet, B. It may be above the formula, up to twice as
 * much: infinite beyond that.
 */
async function neededAt(ctx: Context, place: Place): Promise<number> {
  const loses = async (headroom: number): Promise<boolean> => {
    for (const seed of seedsOf(ctx.params)) {
      ctx.signal.throwIfAborted();
      const { result } = await ctx.simulate(scenarioOf(ctx.params, place, headroom, { seed, stop: true }), {
        title: `${place.length} m, ${place.rate} Gb/s, ${formatNumber(headroom / 1000)} KB, seed ${seed}`,
      });
      if (dropsOf(result) > 0) return true;
    }
    return false;
  };
  const formula = formulaOf(place, ctx.params);
  let [low, high] = [0, formula];
  if (await loses(formula)) {
    [low, high] = [formula, 2 * formula];
    if (await loses(high)) return Infinity;
  }
  while (high - low > FULL_PACKET) {
    const middle = (low + high) / 2;
    if (await loses(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function showPlace(ctx: Context, place: Place, needed: number): void {
  const [formula, driver] = [formulaOf(place, ctx.params), driverOf(place)];
  const x = place.length;
  ctx.point('by-length', { x, y: needed / 1000, series: 'simulated' });
  ctx.point('by-length', { x, y: formula / 1000, series: 'formula' });
  if (driver !== null) ctx.point('by-length', { x, y: driver / 1000, series: 'driver' });
  ctx.row('lengths', {
    length: x,
    needed: needed / 1000,
    formula: formula / 1000,
    residual: 100 * (needed / formula - 1),
    driver: driver && driver / 1000,
  });
}

/** What is lost with a part of the formula. */
interface Lost {
  part: number;
  drops: Stat;
  gbps: Stat;
}

async function loseAt(ctx: Context, place: Place): Promise<Lost[]> {
  const formula = formulaOf(place, ctx.params);
  const lost: Lost[] = [];
  for (const part of PARTS) {
    const runs: Simulated[] = [];
    for (const seed of seedsOf(ctx.params)) {
      ctx.signal.throwIfAborted();
      runs.push(
        await ctx.simulate(scenarioOf(ctx.params, place, part * formula, { seed, stop: false }), {
          title: `${formatNumber(part * 100)} % of the formula, seed ${seed}`,
        }),
      );
    }
    const stat = (value: (one: Simulated) => number): Stat => statOf(runs.map(value));
    const one = {
      part,
      drops: stat(({ result }) => dropsOf(result)),
      gbps: stat(({ result }) => result.goodput_gbps),
    };
    lost.push(one);
    ctx.point('by-headroom', { x: part * 100, ...heightOf(one.drops) });
    ctx.row('parts', {
      part: part * 100,
      headroom: (part * formula) / 1000,
      drops: one.drops.value,
      gbps: one.gbps.value,
      timeouts: stat(({ result }) => result.timeouts).value,
    });
  }
  return lost;
}

function judge(
  ctx: Context,
  lost: readonly Lost[],
  found: readonly { place: Place; needed: number }[],
): void {
  const short = found.filter(({ place, needed }) => needed > formulaOf(place, ctx.params));
  ctx.check(
    'enough',
    short.length === 0,
    short.length === 0
      ? `At ${plural(found.length, 'length and rate', 'lengths and rates')} the headroom of the formula lost no packet.`
      : `The formula is too little at ${short.map(({ place }) => `${place.length} m and ${place.rate} Gb/s`).join(', ')}.`,
  );
  const half = lost.find(({ part }) => part === 0.5)!;
  ctx.check(
    'lossy',
    half.drops.min > 0,
    `With half of the formula ${formatNumber(half.drops.value)} packets were lost, although PFC was on.`,
  );
}

function conclude(
  ctx: Context,
  { own, fast, lost }: { own: number; fast: number; lost: readonly Lost[] },
): void {
  const { length, rate, reaction } = ctx.params;
  const formula = formulaOf({ length, rate }, ctx.params);
  const half = lost.find(({ part }) => part === 0.5)!;
  const whole = lost.find(({ part }) => part === 1)!;
  const set = (name: string, { value, min, max, n }: Stat): void => ctx.figure(name, value, { min, max, n });
  ctx.figure('needed', own / 1000);
  ctx.figure('formula', formula / 1000);
  ctx.figure('residual', 100 * (own / formula - 1));
  ctx.figure('cable', (rate * 2 * length * 5) / 8000);
  ctx.figure('reacting', (rate * reaction) / 8000);
  ctx.figure('needed-fast', fast / 1000);
  ctx.figure('times', fast / own);
  ctx.figure('per-meter', (rate * 2 * 5) / 8);
  set('lost-half', half.drops);
  set('gbps-half', half.gbps);
  set('gbps-whole', whole.gbps);
  const times = fast / own;
  ctx.outcome('faster', times < 1.5 ? 'same' : times < 3 ? 'twice' : 'four');
  ctx.answer(
    `A port of ${rate} Gb/s with ${length} m of cable needed ${formatNumber(own / 1000)} KB of headroom; the formula says ${formatNumber(formula / 1000)} KB. With half of that ${formatNumber(half.drops.value)} packets were lost.`,
  );
}
