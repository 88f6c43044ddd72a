import type { RunEventOf } from '@verbslab/protocol';

/** The latest work requests, an equal share for each process, so that a busy one does not displace the others. */
export function keptLives(lives: readonly RunEventOf<'wr'>[], most: number): RunEventOf<'wr'>[] {
  const of = ({ endpoint = '' }: RunEventOf<'wr'>): string => endpoint;
  const share = Math.floor(most / new Set(lives.map(of)).size);
  const left = new Map<string, number>();
  const kept = lives.toReversed().filter((wr) => {
    const used = left.get(of(wr)) ?? 0;
    left.set(of(wr), used + 1);
    return used < share;
  });
  return kept.reverse();
}
