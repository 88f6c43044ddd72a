/** Both versions of a case, one after the other, and what was found. */
import type { Bench } from './bench.js';
import type { FailureCase } from './case.js';
import { differences, examine, type Evidence } from './evidence.js';

export interface Verdict {
  broken: Evidence;
  fixed: Evidence;
  /** What of the broken version is not as expected. */
  faults: string[];
  works: boolean;
}

/** `around` does the work of one version, and may say so. */
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

/** Why these devices cannot show the case; null: they can. */
export async function missing(bench: Bench, one: FailureCase): Promise<string | null> {
  if (!one.lacks) return null;
  try {
    return await one.lacks(bench);
  } finally {
    await bench.clear();
  }
}
