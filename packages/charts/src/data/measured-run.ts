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
  /** End of the loop's last warm-up interval, ns since the run was created; NaN if there was none. */
  omittedUntil: number;
  /** True once the loop has reported its last interval. */
  ended: boolean;
}

/** Encoded HdrHistograms of a loop. They are decoded when they are shown. */
export interface HistogramFrames {
  /** Histograms of intervals that are not added up yet. The view empties the list. */
  pending: Uint8Array[];
  /** The loop's own sum, once it has ended. It replaces the intervals. */
  total: Uint8Array | null;
  /** Histograms of the measured intervals, with the end of each, for latency over time. */
  intervals: { t: number; encoded: Uint8Array }[];
  /** Number of intervals that were not kept. */
  beyond: number;
}

/** Most intervals of a loop with their own histogram for latency over time: ten minutes. */
const MAX_INTERVALS = 6000;

/** The measurements behind charts over time and of latencies. */
export interface MeasuredRun {
  readonly sources: ReadonlyMap<number, Source>;
  readonly series: ReadonlyMap<number, SeriesOfSource>;
  readonly histograms: ReadonlyMap<number, HistogramFrames>;
  readonly endpoints: ReadonlyMap<string, Pick<RunEventOf<'endpoint'>, 'host' | 'cpus'>>;
  /** Counters that grow with every change of the series or histograms. */
  readonly version: Readonly<Record<'series' | 'histogram', number>>;
  /** Number of frames that could not be read. */
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

/** Keeps a `histogram` frame. Returns false for a frame of a warm-up, which is not counted. */
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

/** The measurements of a recorded run. */
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
      // Histograms are decoded later, when the frame's buffer may be reused.
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
