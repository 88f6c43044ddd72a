// Draws statements at random: the same ones for the same seed.
import { seeded } from '../../lib/random.js';
import { SAYERS, type Sayer, type Statement } from './statement.js';

/** Draws in turn from each kind of `by`, so that the few sentences of counters are read as well as the many of labs. */
export function drawn(
  statements: readonly Statement[],
  seed: number,
  count: number,
  by: readonly Sayer[] = SAYERS,
): Statement[] {
  const random = seeded(seed);
  const left = by.map((sayer) => statements.filter((one) => one.by === sayer));
  const found: Statement[] = [];
  for (let turn = 0; found.length < count && left.some(({ length }) => length > 0); turn++) {
    const pool = left[turn % left.length]!;
    if (pool.length > 0) found.push(...pool.splice(Math.floor(random() * pool.length), 1));
  }
  return found;
}
