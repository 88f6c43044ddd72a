// Paired measuring: A and B in turn, the ratio taken pair by pair, so that a machine whose speed drifts does not decide.
import { parseArgs } from 'node:util';

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface PairedRow {
  /** What is compared, as `A against B`. */
  name: string;
  unit: string;
  a: Spread;
  b: Spread;
  /** A divided by B, of each pair. */
  ratio: Spread;
  pairs: number;
  /** The promise, as a bound on the median ratio; absent where there is none. */
  target?: { atLeast: number } | { atMost: number };
  ok?: boolean;
}

export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('no value to summarise');
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  const at = (index: number) => sorted[index] as number;
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Runs `a` and `b` in turn, `pairs` times, after one uncounted run of each; who goes first alternates. */
export async function paired(
  name: string,
  unit: string,
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
  target?: PairedRow['target'],
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
  const ratio = spread(as.map((value, index) => value / (bs[index] as number)));
  const row: PairedRow = { name, unit, a: spread(as), b: spread(bs), ratio, pairs };
  if (target) {
    row.target = target;
    row.ok = 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost;
  }
  return row;
}

const three = (value: number) => value.toPrecision(value >= 1000 ? 4 : 3).replace(/e\+?(-?\d+)$/, 'e$1');
const shown = ({ median, min, max }: Spread) => `${three(median)} (${three(min)}–${three(max)})`;

export function printRows(rows: readonly PairedRow[], json: boolean): void {
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
    process.stdout.write(
      `${row.name}\n    A ${shown(row.a)} ${row.unit}   B ${shown(row.b)} ${row.unit}   A/B ${shown(row.ratio)} over ${row.pairs} pairs${target}${verdict}\n`,
    );
  }
}

export interface BenchOptions {
  pairs: number;
  json: boolean;
  only?: string;
}

/** The options that every paired bench has; `usual` pairs unless told. */
export function benchOptions(usual = 7): BenchOptions {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: String(usual) },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const pairs = Number(values.pairs);
  if (!Number.isInteger(pairs) || pairs < 1)
    throw new RangeError(`--pairs wants a whole number, not ${values.pairs}`);
  return { pairs, json: values.json, ...(values.only === undefined ? {} : { only: values.only }) };
}
