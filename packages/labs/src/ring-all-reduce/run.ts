import { cellsOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import { openHosts, type Host } from '../collective/hosts.js';
import { formatBytes, formatNumber, noun, plural } from '../base/format.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import { allReduce, layoutOf, postAhead, type AllReduce, type Layout } from './all-reduce.js';
import { captureAllReduces, judgeCaptured, showCaptured } from './capture.js';
import { ALL_REDUCES, CAPTURED, type Context } from './params.js';
import { ALGORITHMS, areNeighbors, NAMES, programOf, slotsOf, type Algorithm } from './schedule.js';
import { countDifferent, FLOAT, piecesOf, sumOf, vectorOf, writeFloats } from './vectors.js';

/** Verdicts that the page states. */
const VERDICTS = 2;

/** Entries of each queue: for the messages of two all-reduces among eight hosts. */
const DEPTH = 32;
const GROWTH = 8;

interface Timed {
  algorithm: Algorithm;
  size: number;
  us: Stat;
  repetitions: AllReduce[];
}

/** Bytes of a vector with as many elements in each part. */
const rounded = (size: number, hosts: number): number => Math.floor(size / (FLOAT * hosts)) * FLOAT * hosts;

/** Bytes of the vectors, from the small one to the large one. */
export function sizesOf({ hosts, small, large }: Context['params']): number[] {
  const sizes: number[] = [];
  for (let size = small; size < large; size *= GROWTH) sizes.push(size);
  return [...sizes, large].map((size) => rounded(size, hosts));
}

class Stage {
  readonly #hosts: readonly Host[];
  readonly #layout: Layout;
  readonly #vectors: readonly Float32Array[];
  readonly #sums = new Map<string, Float32Array>();

  private constructor(hosts: readonly Host[], layout: Layout, vectors: readonly Float32Array[]) {
    this.#hosts = hosts;
    this.#layout = layout;
    this.#vectors = vectors;
  }

  static async open(ctx: Context): Promise<Stage> {
    const count = ctx.params.hosts;
    const elements = rounded(ctx.params.large, count) / FLOAT;
    const layout = layoutOf(elements, slotsOf(count));
    const pairs = (a: number, b: number): boolean => areNeighbors(count, a, b);
    const hosts = await openHosts(ctx, { length: layout.length, depth: DEPTH, pairs });
    await postAhead(hosts, 4 * (count - 1));
    const vectors = hosts.map((_, host) => vectorOf(host, elements));
    for (const [i, host] of hosts.entries()) await writeFloats(host, 0, vectors[i]!);
    return new Stage(hosts, layout, vectors);
  }

  get hosts(): readonly Host[] {
    return this.#hosts;
  }

  sum(algorithm: Algorithm, size: number): Float32Array {
    const key = `${algorithm} ${size}`;
    const known = this.#sums.get(key);
    if (known) return known;
    const sum = sumOf(algorithm, this.#vectors, size / FLOAT);
    this.#sums.set(key, sum);
    return sum;
  }

  perform(algorithm: Algorithm, size: number, times: number): Promise<AllReduce> {
    const sums = piecesOf(this.sum(algorithm, size));
    return allReduce(this.#hosts, this.#layout, { algorithm, elements: size / FLOAT, times, sums });
  }
}

export async function runRingAllReduce(ctx: Context): Promise<void> {
  const stage = await Stage.open(ctx);
  showSteps(ctx);
  const size = rounded(CAPTURED, ctx.params.hosts);
  const elements = size / FLOAT;
  const captured = await captureAllReduces(ctx, stage.hosts, elements, (one) => stage.perform(one, size, 1));
  showCaptured(ctx, captured, elements);
  judgeCaptured(ctx, captured, elements);
  const timed = await timeAll(ctx, stage);
  ctx.draining();
  await closeAll(...stage.hosts);
  showTimes(ctx, timed);
  judgeSums(ctx, [...captured.map(({ done }) => done), ...timed.flatMap(({ repetitions }) => repetitions)]);
  conclude(ctx, stage, timed);
}

/** Shows the parts that the hosts send in each step, with the numbers that hosts and parts have in the run. */
function showSteps(ctx: Context): void {
  const { hosts } = ctx.params;
  for (const algorithm of ALGORITHMS) {
    // Parts of one element.
    const programs = Array.from({ length: hosts }, (_, host) => programOf(algorithm, hosts, host, hosts));
    const steps = Math.max(...programs.flat().map(({ step }) => step));
    for (let step = 1; step <= steps; step++) {
      const sends = programs.flatMap((acts, host) =>
        acts.flatMap((one) => (one.act === 'send' && one.step === step ? [{ ...one, host }] : [])),
      );
      const adds = programs.flat().some((one) => one.act === 'add' && one.step === step);
      ctx.row('steps', {
        algorithm: NAMES[algorithm],
        step,
        what: adds ? 'adds' : 'keeps the sum',
        sends: sends
          .map(
            ({ host, to, from }) =>
              `${host + 1}→${to + 1}${algorithm === 'ring' ? `: part ${from.first + 1}` : ''}`,
          )
          .join(', '),
        each: algorithm === 'ring' ? 1 / hosts : 1,
      });
    }
  }
}

async function timeAll(ctx: Context, stage: Stage): Promise<Timed[]> {
  const settings = sizesOf(ctx.params).flatMap((size) =>
    ALGORITHMS.map((algorithm) => ({ algorithm, size })),
  );
  const found = await sweep(
    ctx,
    settings,
    ctx.params.repeat,
    ({ algorithm, size }) => `${NAMES[algorithm]}, ${formatBytes(size)}`,
    ({ algorithm, size }) => stage.perform(algorithm, size, 1 + ALL_REDUCES),
  );
  return settings.map((setting, i) => ({
    ...setting,
    repetitions: found[i]!,
    us: statOf(found[i]!.map(({ us }) => us)),
  }));
}

function showTimes(ctx: Context, timed: readonly Timed[]): void {
  for (const { algorithm, size, us, repetitions } of timed) {
    ctx.row('times', {
      size,
      algorithm: NAMES[algorithm],
      ...cellsOf(us),
    });
    for (const { us: y } of repetitions) ctx.point('time', { x: size, y, series: algorithm });
  }
}

function judgeSums(ctx: Context, done: readonly AllReduce[]): void {
  const { hosts } = ctx.params;
  const wrong = done.reduce((sum, one) => sum + one.wrong, 0);
  const compared = done.reduce((sum, { elements }) => sum + elements * hosts, 0);
  ctx.check(
    'sums',
    wrong === 0,
    `${plural(compared, 'element')} of all hosts were compared with a sum computed apart from the run; ${wrong === 0 ? 'none differs' : `${plural(wrong, 'element')} ${wrong === 1 ? 'differs' : 'differ'}`}.`,
  );
}

function conclude(ctx: Context, stage: Stage, timed: readonly Timed[]): void {
  const { hosts } = ctx.params;
  const sizes = sizesOf(ctx.params);
  const largest = sizes.at(-1)!;
  const words = [sizes[0]!, largest].map((size) => {
    const [ring, tree] = ALGORITHMS.map(
      (algorithm) => timed.find((one) => one.size === size && one.algorithm === algorithm)!.us,
    ) as [Stat, Stat];
    const name = size === largest ? 'large' : 'small';
    ctx.figure(`${name}-ring`, ring.value, ring);
    ctx.figure(`${name}-tree`, tree.value, tree);
    const verdict = compare(ring, tree, VERDICTS);
    ctx.outcome(name, verdict === 'lower' ? 'ring' : verdict === 'higher' ? 'tree' : 'unclear');
    return `With ${formatBytes(size)} the ring takes ${formatNumber(ring.value)} µs and the tree ${formatNumber(tree.value)} µs (${ratioText(ring, tree, VERDICTS)}).`;
  });
  const different = countDifferent(stage.sum('ring', largest), stage.sum('tree', largest));
  ctx.figure('differ', (different / (largest / FLOAT)) * 100);
  ctx.answer(
    `Each of ${plural(hosts, 'host')} sends ${formatNumber((2 * (hosts - 1)) / hosts)} ${noun(hosts - 1, 'vector')} in the ring; host 1 sends ${plural(slotsOf(hosts), 'vector')} in the tree. ${words.join(' ')}`,
  );
}
