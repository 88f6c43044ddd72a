/**
 * Polling in an endpoint: it spins, and lets the event loop have a turn now and then, in which it reads its commands.
 */
import { callFailed, completionFailed, WC_STATUS } from '@verbslab/protocol';
import type { Cq, WorkCompletion } from '@verbslab/verbs';

const LOOKS_PER_TURN = 64;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const elapsedSince = (begun: bigint): number => Number(process.hrtime.bigint() - begun);

/** Looks until there is something, at least once; undefined when that took longer. */
export async function within<T>(timeMs: number, look: () => T | false | undefined): Promise<T | undefined> {
  const deadline = performance.now() + timeMs;
  for (let looks = 1; ; looks++) {
    const found = look();
    if (found) return found;
    if (performance.now() >= deadline) return undefined;
    if (looks % LOOKS_PER_TURN === 0) await turn();
  }
}

export const waitedFor = (what: string) =>
  callFailed(
    'SYSTEM',
    `Waiting for ${what}`,
    'ETIMEDOUT',
    'Check that the peer’s queue pair is connected and that it uses the same way to notify.',
  );

/** Looks until there is something. Throws AppError ETIMEDOUT. */
export async function until<T>(
  look: () => T | false | undefined,
  what: string,
  timeoutMs: number,
): Promise<T> {
  const found = await within(timeoutMs, look);
  if (found === undefined) throw waitedFor(what);
  return found;
}

/** Takes the completions of the CQ. Throws AppError COMPLETION. */
export function take(cq: Cq, opcode: string, max?: number): WorkCompletion[] {
  const found = cq.poll(max);
  const failed = found.find(({ statusCode }) => statusCode !== 0);
  if (failed)
    throw completionFailed(opcode, WC_STATUS.find(({ name }) => name === failed.status)?.status ?? 0);
  return found;
}
