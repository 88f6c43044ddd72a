import type { Time } from './stream';

/** Something that lasted. */
export interface Span {
  from: Time;
  to: Time;
  /** Sequence number of the event it is of. */
  ref: number;
  label: string;
  tone: SpanTone;
  /** Times inside it that divide it, in order, with what each is. */
  stages?: readonly { t: Time; name: string }[];
}

export type SpanTone = 'request' | 'error' | 'call' | 'step' | 'state' | 'quiet';

/** Spans of one row, which do not overlap, in order. */
export type Row = readonly Span[];

/** Spreads spans over as few rows as possible, so that none covers another: those that wait at the same time lie above each other. */
export function rowsOf(spans: readonly Span[]): Row[] {
  const rows: Span[][] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const free = rows.find((row) => row.at(-1)!.to <= span.from);
    if (free) free.push(span);
    else rows.push([span]);
  }
  return rows;
}

/** Index of the first span of a row that ends after a time. */
export function firstAfter(row: Row, time: Time, from = 0): number {
  let low = from;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (row[middle]!.to <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The span of a row that a time lies in. */
export function spanAt(row: Row, from: Time, to: Time): Span | null {
  const span = row[firstAfter(row, from)];
  return span && span.from <= to ? span : null;
}
