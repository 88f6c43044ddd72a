import type { LabContext, SimulationResult } from '@verbslab/protocol';
import { formatBytes, formatNumber, plural } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { farthest, meanOf } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { heightOf } from '../form/common-results.js';
import type { TopologyParams } from './params.js';
import {
  FABRICS,
  formulaOf,
  idealUs,
  ORDERS,
  orderFormula,
  orderScenario,
  onWireUs,
  PATTERNS,
  scenarioOf,
  STAGGERED,
  type FabricKind,
  type OrderId,
  type PatternId,
  type Setting,
} from './scenarios.js';

type Context = LabContext<TopologyParams>;

const OVER = [1, 2, 4];
const KIB = 1024;
/** Bytes of a share in the second part. */
const SHARE = 1024 * KIB;
/** The mean of three seeds differs by less from the expected value, in almost all runs. */
const TOLERANCE = 0.3;
/** Start and end of a run cost less than this part of it. */
const EDGES = 0.1;

interface Point extends Setting {
  time: Stat;
  formula: number;
  wrong: number;
}

/** Flows that did not finish, and packets that were sent again: the buffers are large enough for none. */
const wrongOf = ({ flows_failed, flows_unfinished, retransmitted }: SimulationResult): number =>
  flows_failed + flows_unfinished + retransmitted;
const residual = ({ time, formula }: Pick<Point, 'time' | 'formula'>): number =>
  (time.value / formula - 1) * 100;

async function measure(ctx: Context, setting: Setting, label: string): Promise<Point> {
  const bytes = ctx.params.kibibytes * KIB;
  const results: SimulationResult[] = [];
  for (const seed of seedsOf(ctx.params)) {
    const { result } = await ctx.simulate(scenarioOf(setting, bytes, seed), {
      title: `${label}, seed ${seed}`,
    });
    results.push(result);
  }
  const point = {
    ...setting,
    time: meanOf(results.map(({ us }) => us / idealUs(setting, bytes))),
    formula: formulaOf(setting),
    wrong: results.reduce((sum, one) => sum + wrongOf(one), 0),
  };
  const { pattern, kind, over, time, formula } = point;
  ctx.row('settings', {
    pattern: PATTERNS.find(({ id }) => id === pattern)!.name,
    fabric: FABRICS.find((one) => one.kind === kind)!.name,
    over,
    time: time.value,
    formula,
    residual: residual(point),
    queue: Math.max(...results.map(({ queue_max_bytes }) => queue_max_bytes)),
  });
  ctx.point(pattern, { x: over, ...heightOf(time), series: kind });
  ctx.point(pattern, { x: over, y: formula, series: `${kind}-formula` });
  return point;
}

interface Ordered {
  time: number;
  queue: number;
  wrong: number;
}

async function measureOrder(ctx: Context, order: OrderId, name: string): Promise<Ordered> {
  const { result } = await ctx.simulate(orderScenario(order, SHARE), { title: name });
  const time = result.us / ((STAGGERED - 1) * onWireUs(SHARE));
  const queue = result.queue_max_bytes;
  ctx.row('orders', { order: name, time, formula: orderFormula(order), queue });
  return { time, queue, wrong: wrongOf(result) };
}

export async function runTopology(ctx: Context): Promise<void> {
  const n = Number(ctx.params.servers);
  const settings = PATTERNS.flatMap(({ id: pattern, name }) =>
    FABRICS.flatMap(({ kind, name: fabric }) =>
      OVER.map((over) => ({ setting: { kind, pattern, n, over }, label: `${name}, ${fabric}, ${over}:1` })),
    ),
  );
  const all: Point[] = [];
  for (const [i, { setting, label }] of settings.entries()) {
    ctx.progress(i / settings.length, label);
    all.push(await measure(ctx, setting, label));
  }
  const orders = new Map<OrderId, Ordered>();
  for (const { id, name } of ORDERS) orders.set(id, await measureOrder(ctx, id, name));
  conclude(ctx, all, orders);
}

function conclude(ctx: Context, all: readonly Point[], orders: ReadonlyMap<OrderId, Ordered>): void {
  const of = (pattern: PatternId, kind: FabricKind, over = 1): Point =>
    all.find((one) => one.pattern === pattern && one.kind === kind && one.over === over)!;
  const set = (name: string, { time: { value, ...spread } }: Point): void => ctx.figure(name, value, spread);
  const over = of('all', 'leaf-spine', OVER.at(-1));
  const [rankLeaf, rankRail] = [of('rank', 'leaf-spine'), of('rank', 'rail')];
  const [same, staggered] = [orders.get('same')!, orders.get('staggered')!];
  set('all-over', over);
  set('all-even', of('all', 'leaf-spine'));
  set('rank-leaf', rankLeaf);
  set('rank-rail', rankRail);
  set('neighbor-leaf', of('neighbor', 'leaf-spine'));
  set('neighbor-rail', of('neighbor', 'rail'));
  const far = farthest(all.map(residual));
  ctx.figure('residual', far);
  ctx.figure('same-order', same.time);
  ctx.figure('same-queue', same.queue);
  ctx.figure('staggered', staggered.time);
  ctx.figure('staggered-queue', staggered.queue);
  ctx.outcome(
    'rank',
    rankRail.time.max < rankLeaf.time.min ? 'rail' : rankLeaf.time.max < rankRail.time.min ? 'leaf' : 'same',
  );

  const wrong = [...all, ...orders.values()].reduce((sum, one) => sum + one.wrong, 0);
  ctx.check(
    'whole',
    wrong === 0,
    wrong === 0
      ? 'All flows finished, and no packet was sent again.'
      : `${wrong} flows or packets were lost.`,
  );
  const local = all.filter(({ pattern, formula }) => pattern !== 'all' && formula === 1);
  const slow = local.filter(({ time }) => time.max > 1 + EDGES);
  ctx.check(
    'local',
    slow.length === 0,
    `${plural(local.length, 'setting')} keep their traffic below one switch or have an uplink each; ${slow.length} of them took longer than ideal.`,
  );
  ctx.check(
    'formula',
    Math.abs(far) <= TOLERANCE * 100,
    `The times differ from the expected busiest uplink by at most ${formatNumber(Math.abs(far))} % (limit ${formatNumber(TOLERANCE * 100)} %).`,
  );
  const off = ORDERS.map(({ id }) => orders.get(id)!.time / orderFormula(id) - 1);
  ctx.check(
    'order',
    Math.abs(farthest(off)) <= EDGES && same.queue > 10 * staggered.queue,
    `In turn to the same host it took ${formatNumber(same.time)} times the ideal, with a queue of ${formatBytes(same.queue)}; to different hosts ${formatNumber(staggered.time)} times, with ${formatBytes(staggered.queue)}.`,
  );
  ctx.answer(
    `NIC to NIC of the next server took ${formatNumber(rankLeaf.time.value)} times the ideal over leaf and spine, and ${formatNumber(rankRail.time.value)} over rails. An all-to-all at 4:1 took ${formatNumber(over.time.value)} times over either.`,
  );
}
