/** Stages in order, without overlaps. */
import type { PictureStage } from './recording';

export type Draft = Omit<PictureStage, 'cut' | 'asks'> & { asks?: string };

/** Part of a stage for which it stays on its last event, if nothing else happens by then. */
const LINGERS = 0.25;
/** Shortest stage, ns. */
const SHORTEST = 400;

/** Drops what lies before the end of the stage before, and gives every stage a length. */
export function tiled(drafts: readonly Draft[], end: number): PictureStage[] {
  const sorted = drafts.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const stages: PictureStage[] = [];
  sorted.forEach((draft, i) => {
    const before = stages.at(-1)?.to ?? 0;
    const from = Math.max(draft.from, before);
    const next = Math.max(sorted[i + 1]?.from ?? Math.max(end, draft.to) + SHORTEST, from + 1);
    const whole = Math.max(draft.to - from, 0);
    const to = Math.min(
      Math.max(draft.to, from) + Math.max(SHORTEST, whole * LINGERS),
      Math.max(next, draft.to),
    );
    stages.push({
      ...{ name: draft.name, caption: draft.caption, asks: draft.asks ?? null, focus: draft.focus },
      ...{ from, to: Math.round(Math.max(to, from + 1)), cut: from - before },
    });
  });
  return stages;
}
