/** Operations of the timeline on each kind of track. A new kind is its data in model/track.ts and an entry here. */
import { count, sig3, text, time } from '../../format/number';
import { momentText } from '../../format/time-text';
import { heatAt, paintHeat } from './draw/heat';
import { hitLadder, paintLadder } from './draw/ladder';
import { paintLines } from './draw/lines';
import { hitMarks, paintMarks } from './draw/marks';
import { neighborIn, neighborOf } from './draw/neighbor';
import { lengthOf, timeAt, type Item, type Pen, type View } from './draw/pen';
import { paintPsn, psnScale } from './draw/psn';
import { hitSpans, paintSpans, spanItems } from './draw/spans';
import { countRows, heatRow, lineRows, spanRow, type AreaRow } from './model/area';
import { valuesAt } from './model/lines';
import type { Stream } from './model/stream';
import type { Track } from './model/track';
import { valueText } from './tracks/rates';
import type { Sign } from './track-sign';

type Ends = readonly [from: number | undefined, to: number | undefined];
type At = { t: number; ref: number } | null;
type Kind = Track['kind'];

interface TrackKind<T> {
  /** First and last times of the parts of a track. */
  ends: (track: T) => readonly Ends[];
  /** Draws the visible part. `nameOf`: name of a packet, for its arrow. */
  draw: (pen: Pen, track: T, nameOf: (packet: number) => string) => void;
  /** Counts and values in a stretch, for the table behind the timeline. */
  area: (track: T, from: number, to: number) => AreaRow[];
  /** Item at a position. */
  hit?: (track: T, view: View, height: number, x: number, y: number) => Item | null;
  /** Next or previous item after a time; keys use it. */
  next?: (track: T, after: At, by: 1 | -1) => Item | null;
  /** Text at a position without an item. */
  describe?: (track: T, view: View, height: number, x: number, y: number) => string[];
  /** Range of the vertical axis, as text. */
  range?: (track: T) => string;
  /** Legend of the colors and signs, if there are several. */
  signs?: (track: T) => Sign[];
}

const endsOf = (list: readonly { stream: Stream }[]): Ends[] =>
  list.map(({ stream }) =>
    stream.length === 0 ? [undefined, undefined] : [stream.time(0), stream.time(stream.length - 1)],
  );

const unique = (signs: readonly Sign[]): Sign[] => [
  ...new Map(signs.map((sign) => [sign.name, sign])).values(),
];

const momentAt = (view: View, x: number): string => momentText(timeAt(view, x), lengthOf(view));

const KINDS: { readonly [K in Kind]: TrackKind<Extract<Track, { kind: K }>> } = {
  spans: {
    ends: ({ rows }) => rows.map((row): Ends => [row[0]?.from, row.at(-1)?.to]),
    draw: paintSpans,
    area: spanRow,
    hit: (track, view, _height, x, y) => hitSpans(track, view, x, y),
    next: (track, after, by) => neighborIn(spanItems(track), after, by),
  },
  marks: {
    ends: ({ marks }) => endsOf(marks),
    draw: paintMarks,
    area: (track, from, to) => countRows(track, track.marks, from, to),
    hit: ({ marks }, view, height, x, y) => hitMarks(marks, view, x, y, () => height / 2),
    next: ({ marks }, after, by) => neighborOf(marks, after, by),
    signs: ({ marks }) => unique(marks.map(({ name, color, shape }) => ({ name, color, shape }))),
  },
  psn: {
    ends: ({ marks }) => endsOf(marks),
    draw: paintPsn,
    area: (track, from, to) => countRows(track, track.marks, from, to),
    hit: (track, view, height, x, y) => {
      const scale = psnScale(track, view, height);
      return hitMarks(track.marks, view, x, y, ({ stream }, i) => scale(stream.value(i)));
    },
    next: ({ marks }, after, by) => neighborOf(marks, after, by),
    signs: ({ marks }) => unique(marks.map(({ name, color, shape }) => ({ name, color, shape }))),
  },
  ladder: {
    ends: ({ arrows }) => endsOf(arrows),
    draw: paintLadder,
    area: (track, from, to) => countRows(track, track.arrows, from, to),
    hit: hitLadder,
    next: ({ arrows }, after, by) => neighborOf(arrows, after, by),
    signs: ({ arrows }) =>
      unique(
        arrows.map(({ name, color, dashed, mark }) => ({
          ...{ name, color, dashed, line: true },
          ...(mark ? { shape: mark } : {}),
        })),
      ),
  },
  lines: {
    ends: ({ lines, width = 0 }) =>
      lines.map(({ t }): Ends => [t[0] === undefined ? undefined : t[0] - width, t.at(-1)]),
    draw: paintLines,
    area: lineRows,
    describe: (track, view, _height, x) => [
      momentAt(view, x),
      ...valuesAt(track, timeAt(view, x)).map(
        (v, i) => `${track.lines[i]!.name}: ${valueText(v, track.unit)}`,
      ),
    ],
    range: ({ top, unit }) => `0 to ${Number.isInteger(top) ? count(top) : sig3(top)} ${unit}`,
    signs: ({ lines, warmUps }) => [
      ...(lines.length > 1 ? lines.map(({ name, color }) => ({ name, color })) : []),
      ...(warmUps?.length ? [{ name: 'warm-up', color: 'line-strong', pale: true } as const] : []),
    ],
  },
  heat: {
    ends: ({ t, width }) => [[t[0] === undefined ? undefined : t[0] - width[0]!, t.at(-1)]],
    draw: paintHeat,
    area: heatRow,
    describe: (track, view, height, x, y) => {
      const cell = heatAt(track, view, height, x, y);
      if (!cell) return [];
      const range = `${text(time(cell.from))} to ${text(time(cell.to))}`;
      return [momentAt(view, x), `${range}: ${cell.count.toLocaleString('en-GB')}`];
    },
    range: ({ least, classes }) => `${text(time(least))} to ${text(time(classes.at(-1)))}, log`,
  },
};

/** Operations for a track. */
export const kindOf = (track: Track): TrackKind<Track> => KINDS[track.kind] as TrackKind<Track>;

/** First and last time in a track. */
export function reach(track: Track): readonly [number, number] {
  const ends = kindOf(track).ends(track);
  return [
    Math.min(...ends.map(([from]) => from ?? Infinity)),
    Math.max(...ends.map(([, to]) => to ?? -Infinity)),
  ];
}

/** Counts and values of all tracks in a stretch, for the table behind the timeline. */
export const areaRows = (tracks: readonly Track[], from: number, to: number): AreaRow[] =>
  tracks.flatMap((track) => kindOf(track).area(track, from, to));
