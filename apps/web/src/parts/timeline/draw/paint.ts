import type { SpanTrack, Track } from '../model/track';
import { paintHeat } from './heat';
import { hitLadder, paintLadder } from './ladder';
import { paintLines } from './lines';
import { hitMarks, paintMarks } from './marks';
import { neighbourOf } from './neighbour';
import type { Item, Pen, View } from './pen';
import { paintPsn, psnScale } from './psn';
import { hitSpans, paintSpans, spanItems } from './spans';

/** Draws the part of a track that is in view. `nameOf`: of a packet, for its arrow. */
export function paint(pen: Pen, track: Track, nameOf: (packet: number) => string): void {
  switch (track.kind) {
    case 'spans':
      return paintSpans(pen, track);
    case 'marks':
      return paintMarks(pen, track);
    case 'psn':
      return paintPsn(pen, track);
    case 'ladder':
      return paintLadder(pen, track, nameOf);
    case 'lines':
      return paintLines(pen, track);
    case 'heat':
      return paintHeat(pen, track);
  }
}

/** What is at a place of a track. */
export function hit(track: Track, view: View, height: number, x: number, y: number): Item | null {
  switch (track.kind) {
    case 'spans':
      return hitSpans(track, view, x, y);
    case 'marks':
      return hitMarks(track.marks, view, x, y, () => height / 2);
    case 'psn': {
      const scale = psnScale(track, view, height);
      return hitMarks(track.marks, view, x, y, ({ stream }, i) => scale(stream.value(i)));
    }
    case 'ladder':
      return hitLadder(track, view, height, x, y);
    case 'lines':
    case 'heat':
      return null;
  }
}

/** The item of a track that follows or precedes a time, in order of time; keys go from one to the next. */
export function neighbourItem(
  track: Track,
  after: { t: number; ref: number } | null,
  by: 1 | -1,
): Item | null {
  switch (track.kind) {
    case 'spans':
      return neighbourIn(itemsOf(track), after, by);
    case 'marks':
    case 'psn':
      return neighbourOf(track.marks, after, by);
    case 'ladder':
      return neighbourOf(track.arrows, after, by);
    case 'lines':
    case 'heat':
      return null;
  }
}

function neighbourIn(
  items: readonly Item[],
  after: { t: number; ref: number } | null,
  by: 1 | -1,
): Item | null {
  if (items.length === 0) return null;
  if (after === null) return by === 1 ? items[0]! : items.at(-1)!;
  const at = items.findIndex(({ ref, t }) => ref === after.ref && t === after.t);
  if (at >= 0) return items[Math.min(items.length - 1, Math.max(0, at + by))]!;
  return (by === 1 ? items.find(({ t }) => t >= after.t) : items.findLast(({ t }) => t <= after.t)) ?? null;
}

const kept = new WeakMap<SpanTrack, Item[]>();

function itemsOf(track: SpanTrack): Item[] {
  let items = kept.get(track);
  if (!items) kept.set(track, (items = spanItems(track)));
  return items;
}
