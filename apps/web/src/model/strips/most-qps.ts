/** The moment of a run at which its endpoints have the most QPs at work. */
import { bookOf } from '../machine/book';
import type { RunModel } from '../run-model';

export interface Change {
  t: number;
  by: 1 | -1;
  endpoint: string;
}

/** Times at which QPs become ready to send, and at which they are gone or leave this state. */
function changesOf(run: RunModel): Change[] {
  return bookOf(run)
    .objects.filter(({ kind }) => kind === 'QP')
    .flatMap(({ madeAt, goneAt, states, endpoint }): Change[] => {
      const from = states.find(({ state }) => state === 'RTS')?.t ?? madeAt;
      return [
        { t: from, by: 1, endpoint },
        ...(goneAt === null ? [] : [{ t: goneAt, by: -1 as const, endpoint }]),
      ];
    })
    .sort((a, b) => a.t - b.t || b.by - a.by);
}

/** The last moment with the most QPs of an endpoint at work, and how many they are; null for a run without QPs. */
export function mostQps(run: RunModel): { at: number; qps: number } | null {
  const live = new Map<string, number>();
  let best: { at: number; qps: number } | null = null;
  const changes = changesOf(run);
  changes.forEach(({ by, endpoint }, i) => {
    const now = (live.get(endpoint) ?? 0) + by;
    live.set(endpoint, now);
    if (by < 0 || now < (best?.qps ?? 0)) return;
    const next = changes[i + 1]?.t;
    // The last moment before the next change, when the most has happened to these QPs.
    best = { at: next === undefined ? Infinity : Math.max(changes[i]!.t, next - 1), qps: now };
  });
  return best;
}
