// Paired measuring: A and B in turn, the ratio taken pair by pair, so that a machine whose speed drifts does not decide.
// Beside it single figures, for promises that are not ratios.
import { parseArgs } from 'node:util';

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** The promise, as a bound on the median. */
export type Target = { atLeast: number } | { atMost: number };

export interface PairedRow {
  /** Name of the comparison, as `A against B`. */
  name: string;
  unit: string;
  a: Spread;
  b: Spread;
  /** A divided by B, of each pair. */
  ratio: Spread;
  pairs: number;
  /** Bound on the ratio; absent where nothing is promised. */
  target?: Target;
  ok?: boolean;
}

export interface FigureRow {
  name: string;
  unit: string;
  value: Spread;
  runs: number;
  /** Absent where the figure is only shown. */
  target?: Target;
  ok?: boolean;
}

export type Row = PairedRow | FigureRow;

export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('no value to summarize');
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  const at = (index: number) => sorted[index] as number;
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Runs `a` and `b` in turn, `pairs` times, after one uncounted run of each; the first one alternates. */
export async function paired(
  name: string,
  unit: string,
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
  target?: Target,
): Promise<PairedRow> {
  await a();
  await b();
  const as: number[] = [];
  const bs: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) {
      as.push(await a());
      bs.push(await b());
    } else {
      bs.push(await b());
      as.push(await a());
    }
  }
  return pairedRow(name, unit, as, bs, target);
}

const keeps = (target: Target, { median }: Spread) =>
  'atLeast' in target ? median >= target.atLeast : median <= target.atMost;

/** The row of values that were taken in pairs already. */
export function pairedRow(
  name: string,
  unit: string,
  as: readonly number[],
  bs: readonly number[],
  target?: Target,
): PairedRow {
  const ratio = spread(as.map((value, index) => value / (bs[index] as number)));
  const row: PairedRow = { name, unit, a: spread(as), b: spread(bs), ratio, pairs: as.length };
  return target ? { ...row, target, ok: keeps(target, ratio) } : row;
}

export function figureRow(name: string, unit: string, values: readonly number[], target?: Target): FigureRow {
  const row: FigureRow = { name, unit, value: spread(values), runs: values.length };
  return target ? { ...row, target, ok: keeps(target, row.value) } : row;
}

/** Rounds to three digits, as rows show values. */
export const three = (value: number) =>
  value.toPrecision(value >= 1000 ? 4 : 3).replace(/e\+?(-?\d+)$/, 'e$1');
const shown = ({ median, min, max }: Spread) => `${three(median)} (${three(min)}–${three(max)})`;

export function printRows(rows: readonly Row[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  for (const row of rows) {
    const target = row.target
      ? 'atLeast' in row.target
        ? `  target ≥ ${row.target.atLeast}`
        : `  target ≤ ${row.target.atMost}`
      : '';
    const verdict = row.ok === undefined ? '' : row.ok ? '  reached' : '  MISSED';
    const figures =
      'ratio' in row
        ? `A ${shown(row.a)} ${row.unit}   B ${shown(row.b)} ${row.unit}   A/B ${shown(row.ratio)} over ${row.pairs} pairs`
        : `${shown(row.value)} ${row.unit} over ${row.runs} runs`;
    process.stdout.write(`${row.name}\n    ${figures}${target}${verdict}\n`);
  }
}

/** A bad option: one sentence and exit code 2. */
function refuse(message: string): never {
  process.stderr.write(`✗ ${message}\n`);
  process.exit(2);
}

/** A bench's rows by name. */
export type Cases<R extends Row = PairedRow> = Readonly<Record<string, () => Promise<R>>>;

/** Measures the cases, or the one that `only` names, and prints each row when it is there; `judge` may add to it. */
export async function runCases<R extends Row>(
  cases: Cases<R>,
  { json, only }: Pick<BenchOptions, 'json' | 'only'>,
  judge: (name: string, row: R) => { row: R; remark?: string } = (_, row) => ({ row }),
): Promise<void> {
  if (only !== undefined && !(only in cases)) {
    refuse(`--only takes one of: ${Object.keys(cases).join(', ')}`);
  }
  const rows: R[] = [];
  for (const [name, measure] of Object.entries(cases)) {
    if (only !== undefined && name !== only) continue;
    const measured = await measure();
    const { row, remark } = judge(name, measured);
    rows.push(row);
    if (json) continue;
    // The remark has the finding of a judge.
    printRows([measured], false);
    if (remark !== undefined) process.stdout.write(`    ${remark}\n`);
  }
  if (json) printRows(rows, true);
}

export interface BenchOptions {
  pairs: number;
  json: boolean;
  only?: string;
  /** What was given beside options. */
  words: readonly string[];
}

function parsed(usual: number) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        pairs: { type: 'string', default: String(usual) },
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** The options that every paired bench has; `usual` pairs by default. `wanted`: what this bench must be given besides, in words for a message. */
export function benchOptions(usual = 7, wanted: readonly string[] = []): BenchOptions {
  const {
    values: { pairs, json, only },
    positionals: words,
  } = parsed(usual);
  if (words.length > wanted.length) refuse(`“${words[wanted.length]}” is no option`);
  if (words.length < wanted.length) refuse(`${wanted[words.length]} is missing`);
  if (!/^[1-9]\d*$/.test(pairs)) refuse(`--pairs wants a whole number, not ${pairs}`);
  return { pairs: Number(pairs), json, words, ...(only === undefined ? {} : { only }) };
}
