import { ranTogether, type RunRow } from '@verbslab/protocol';
import { joinable } from './joinable';

/** Runs to join with this one: its peers first, then those of the same time, then the latest. */
export function joinCandidates(run: RunRow, runs: readonly RunRow[], peers: readonly RunRow[]): RunRow[] {
  const others = new Map([...runs, ...peers].map((one) => [one.id, one]));
  others.delete(run.id);
  const isPeer = new Set(peers.map(({ id }) => id));
  const rank = (one: RunRow): number => (isPeer.has(one.id) ? 0 : ranTogether(run, one) ? 1 : 2);
  return [...others.values()].filter(joinable).sort((a, b) => rank(a) - rank(b) || b.number - a.number);
}
