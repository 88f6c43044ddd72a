import {
  decodeHeader,
  decodeHistogram,
  decodeSeries,
  FRAME_FLAGS,
  FrameError,
  SERIES_FIELDS,
  type RunEvent,
  type RunEventOf,
  type SeriesField,
} from '@verbslab/protocol';
import { Columns } from './columns.js';

export type Source = RunEventOf<'source'>;

export interface SeriesOfSource {
  columns: Columns<SeriesField>;
  /** Interval ends (ns) up to which the loop was starting up, or NaN. */
  omittedUntil: number;
  /** The loop has reported its last interval. */
  ended: boolean;
}

/** Encoded HdrHistograms of one loop, decoded when they are shown. */
export interface HistogramFrames {
  /** One an interval, not yet added up; the view empties it. */
  pending: Uint8Array[];
  /** The loop's own sum, once it has ended: it replaces the intervals. */
  total: Uint8Array | null;
  /** Those of the measured intervals, with the ends of these, for the course over time. */
  intervals: { t: number; encoded: Uint8Array }[];
  /** Intervals that were not kept. */
  beyond: number;
}

/** Intervals of a loop whose latencies are kept apart, for the course over time: ten minutes. */
const MAX_INTERVALS = 6000;

/** What charts over time and of latencies are drawn from. */
export interface MeasuredRun {
  readonly sources: ReadonlyMap<number, Source>;
  readonly series: ReadonlyMap<number, SeriesOfSource>;
  readonly histograms: ReadonlyMap<number, HistogramFrames>;
  readonly endpoints: ReadonlyMap<string, Pick<RunEventOf<'endpoint'>, 'host' | 'cpus'>>;
  /** Each grows with every change of what it is of. */
  readonly version: Readonly<Record<'series' | 'histogram', number>>;
  /** Frames that could not be read. */
  badFrames: number;
}

/** Adds the intervals of a `series` frame. */
export function takeSeries(series: Map<number, SeriesOfSource>, frame: Uint8Array): void {
  const { source, flags } = decodeHeader(frame);
  let s = series.get(source);
  if (!s) series.set(source, (s = { columns: new Columns(SERIES_FIELDS), omittedUntil: NaN, ended: false }));
  for (const record of decodeSeries(frame)) {
    s.columns.push(record);
    if (flags & FRAME_FLAGS.omitted) s.omittedUntil = record.t;
  }
  if (flags & FRAME_FLAGS.last) s.ended = true;
}

/** Keeps a `histogram` frame. False for one of a warm-up, which counts for nothing. */
export function takeHistogram(histograms: Map<number, HistogramFrames>, frame: Uint8Array): boolean {
  const { source, flags, t } = decodeHeader(frame);
  if (flags & FRAME_FLAGS.omitted) return false;
  const encoded = decodeHistogram(frame);
  let h = histograms.get(source);
  if (!h) histograms.set(source, (h = { pending: [], total: null, intervals: [], beyond: 0 }));
  if (flags & FRAME_FLAGS.total) {
    h.total = encoded;
    h.pending = [];
  } else {
    if (!h.total) h.pending.push(encoded);
    if (h.intervals.length < MAX_INTERVALS) h.intervals.push({ t, encoded });
    else h.beyond++;
  }
  return true;
}

/** A recorded run, as far as it was measured. */
export class Measurements implements MeasuredRun {
  readonly sources = new Map<number, Source>();
  readonly series = new Map<number, SeriesOfSource>();
  readonly histograms = new Map<number, HistogramFrames>();
  readonly endpoints = new Map<string, RunEventOf<'endpoint'>>();
  readonly version = { series: 0, histogram: 0 };
  badFrames = 0;

  event(event: RunEvent): void {
    if (event.kind === 'source') this.sources.set(event.source, event);
    if (event.kind === 'endpoint') this.endpoints.set(event.role, event);
    this.version.series++;
  }

  frame(frame: Uint8Array): void {
    try {
      const { kind } = decodeHeader(frame);
      // A histogram is looked at later than its bytes are lent.
      if (kind === 'series') takeSeries(this.series, frame);
      if (kind === 'histogram') takeHistogram(this.histograms, frame.slice());
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.badFrames++;
    }
    this.version.series++;
    this.version.histogram++;
  }
}
