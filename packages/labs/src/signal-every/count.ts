/** Completions of a fixed number of requests, by the interval of signaled ones. */
import type { LabContext } from '@verbslab/protocol';
import { bandwidth } from '../load/loop.js';
import type { Pair } from '../load/pair.js';
import type { SignalEveryParams } from './params.js';

/** Requests that are counted: as many as 1 GiB in chunks of 4 MiB. */
export const COUNTED = 256;

/** Completions of `requests`, where every `every`-th and the last one are signaled. */
export const completionsOf = (requests: number, every: number): number => Math.ceil(requests / every);

/** Shows the rows of the table, and checks that every count is the computed one. */
export async function countCompletions(
  ctx: LabContext<SignalEveryParams>,
  pair: Pair,
  settings: readonly number[],
): Promise<void> {
  const wrong: string[] = [];
  for (const every of settings) {
    const { whole } = await bandwidth(pair, {
      size: ctx.params.size,
      txDepth: ctx.params.depth,
      cqMod: every,
      iterations: COUNTED,
    });
    const expected = completionsOf(COUNTED, every);
    ctx.row('counted', { every, requests: COUNTED, expected, completions: whole?.completions ?? null });
    if (whole?.completions !== expected || whole.signaled !== expected)
      wrong.push(`every ${every}: ${whole?.completions ?? 'no count'} instead of ${expected}`);
  }
  ctx.check(
    'counted',
    wrong.length === 0,
    wrong.length === 0
      ? `${COUNTED} requests produced ${settings.map((every) => completionsOf(COUNTED, every)).join(', ')} completions with one signal in every ${settings.join(', ')}.`
      : `Completions differ: ${wrong.join('; ')}.`,
  );
}
