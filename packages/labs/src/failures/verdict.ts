/** Verdict on a case, from both of its versions, one after the other. */
import type { Bench } from './bench.js';
import type { FailureCase } from './case.js';
import { differences, examine, type Evidence } from './evidence.js';

export interface Verdict {
  broken: Evidence;
  fixed: Evidence;
  /** Differences of the broken version from the expected evidence. */
  faults: string[];
  works: boolean;
}

/** Runs the broken version, then the fixed one. `around` does the work of one version, and may announce it. */
export async function runBoth(
  bench: Bench,
  one: FailureCase,
  tapped: boolean,
  around = (_broken: boolean, work: () => Promise<Evidence>): Promise<Evidence> => work(),
): Promise<Verdict> {
  const broken = await around(true, () => examine(bench, one, true, tapped));
  const fixed = await around(false, () => examine(bench, one, false, tapped));
  return { broken, fixed, faults: differences(one.expected, broken), works: fixed.attempt.worked };
}

/** The reason why these devices cannot show the case; null: they can. */
export async function missing(bench: Bench, one: FailureCase): Promise<string | null> {
  if (!one.lacks) return null;
  try {
    return await one.lacks(bench);
  } finally {
    await bench.clear();
  }
}
