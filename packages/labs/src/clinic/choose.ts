import type { Bench } from '../failures/bench.js';
import type { FailureCase } from '../failures/case.js';
import { CASES } from '../failures/cases/index.js';
import { missing } from '../failures/verdict.js';
import { seeded, shuffled } from '../base/random.js';
import type { ClinicParams } from './params.js';

/** The cases in the order in which a seed tries them. */
export const drawOrder = (seed: number): FailureCase[] => shuffled(seeded(seed), CASES);

export interface Chosen {
  one: FailureCase;
  /** Reason why these devices cannot show the case; null: they can. */
  lacks: string | null;
}

/** The case of a run. Random passes over those that these devices cannot show. */
export async function choose(bench: Bench, { case: wanted, seed }: ClinicParams): Promise<Chosen> {
  const named = CASES.find(({ id }) => id === wanted);
  if (named) return { one: named, lacks: await missing(bench, named) };
  const order = drawOrder(seed);
  for (const one of order) if ((await missing(bench, one)) === null) return { one, lacks: null };
  return { one: order[0]!, lacks: 'They can show none of the failures.' };
}
