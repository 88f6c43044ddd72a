import { sig3, text, time } from '../../../format/number';
import { holding, valuesAt } from './lines';
import { firstAfter } from './spans';
import type { Stream } from './stream';
import type { HeatTrack, LineTrack, SpanTrack, Track } from './track';

/** Content of a track in a stretch of time. */
export interface AreaRow {
  track: string;
  group: string;
  /** Part of the track. */
  what: string;
  /** Number of items; null if nothing is counted. */
  count: number | null;
  value: string;
}

/** Mean and maximum of a value that holds until the next one, over the part of a stretch in which it is known. */
export function held(
  { t, y }: { t: Float64Array; y: Float64Array },
  from: number,
  to: number,
): { mean: number; most: number } | null {
  let area = 0;
  let known = 0;
  let most = -Infinity;
  for (let i = Math.max(0, holding(t, from)); i < t.length && t[i]! < to; i++) {
    const begin = Math.max(from, t[i]!);
    const end = Math.min(to, t[i + 1] ?? to);
    const value = y[i]!;
    if (Number.isNaN(value) || end < begin) continue;
    area += value * (end - begin);
    known += end - begin;
    most = Math.max(most, value);
  }
  if (most === -Infinity) return null;
  return { mean: known > 0 ? area / known : most, most };
}

export function spanRow(track: SpanTrack, from: number, to: number): AreaRow[] {
  let count = 0;
  let sum = 0;
  let longest = 0;
  for (const row of track.rows) {
    for (let i = firstAfter(row, from); i < row.length && row[i]!.from <= to; i++) {
      const length = row[i]!.to - row[i]!.from;
      count++;
      sum += length;
      longest = Math.max(longest, length);
    }
  }
  if (count === 0) return [];
  const value = `mean ${text(time(sum / count))}, longest ${text(time(longest))}`;
  return [{ track: track.title, group: track.group, what: 'under way in it', count, value }];
}

export function lineRows(track: LineTrack, from: number, to: number): AreaRow[] {
  const { title, group, lines, form, unit, width = 0 } = track;
  return lines.flatMap((line): AreaRow[] => {
    const row = { track: title, group, what: line.name, count: null };
    if (form === 'stack') {
      // The value of a bin holds up to its time; shifted by the width, it holds from its beginning on.
      const found = held({ t: line.t.map((t) => t - width), y: line.y }, from, to);
      return found
        ? [{ ...row, value: `mean ${sig3(found.mean)} ${unit}, highest ${sig3(found.most)} ${unit}` }]
        : [];
    }
    if (unit === '') {
      const at = (t: number): number => valuesAt({ ...track, lines: [line] }, t)[0] ?? NaN;
      const [a, b] = [at(from), at(to)];
      // Before its first snapshot a counter is taken to be 0.
      const change = b - (Number.isNaN(a) ? 0 : a);
      return change > 0 ? [{ ...row, what: 'change', value: `+${change.toLocaleString('en-GB')}` }] : [];
    }
    const found = held(line, from, to);
    return found && found.most > 0
      ? [{ ...row, value: `mean ${sig3(found.mean)}, highest ${found.most.toLocaleString('en-GB')}` }]
      : [];
  });
}

export function heatRow(
  { title, group, t, counts, classes }: HeatTrack,
  from: number,
  to: number,
): AreaRow[] {
  let count = 0;
  const n = classes.length;
  for (let i = holding(t, from) + 1; i < t.length && t[i]! <= to; i++)
    for (let c = 0; c < n; c++) count += counts[i * n + c]!;
  return count > 0 ? [{ track: title, group, what: 'latencies in whole intervals', count, value: '' }] : [];
}

/** Number of items by name in a stretch, including its end. */
export function countRows(
  { title, group }: Track,
  list: readonly { name: string; stream: Stream }[],
  from: number,
  to: number,
): AreaRow[] {
  const counts = new Map<string, number>();
  for (const { name, stream } of list) {
    const n = stream.at(to + 0.5) - stream.at(from);
    if (n > 0) counts.set(name, (counts.get(name) ?? 0) + n);
  }
  return [...counts].map(([what, count]) => ({ track: title, group, what, count, value: '' }));
}
