import type { Stream, Time } from './stream';
import type { Row } from './spans';

/** A color of the drawing: the name of a token in styles/tokens.css. */
export type Color =
  | 'rdma'
  | 'shm'
  | 'tcp'
  | 'udp'
  | 'retx'
  | 'nak'
  | 'error'
  | 'cpu-app'
  | 'cpu-nic'
  | 'cpu-kernel'
  | 'line-strong'
  | 'ink-2'
  | 'accent';

/** Title, description and size of a track. */
interface Common {
  id: string;
  /** Heading of the track: an endpoint, or the whole run. */
  group: string;
  title: string;
  /** Remark on omitted, sampled or unknown data; absent if the track is complete. */
  caveat?: string;
  /** CSS pixels. */
  height: number;
}

export interface SpanTrack extends Common {
  kind: 'spans';
  rows: readonly Row[];
  /** Item of a span, which determines where a click leads. */
  of: 'wr' | 'event';
}

export type Shape = 'tick' | 'triangle' | 'cross' | 'dot' | 'diamond';

/** Marks of the same kind on a track. */
export interface Marks {
  name: string;
  color: Color;
  shape: Shape;
  stream: Stream;
  of: 'packet' | 'event' | 'wr';
  /** True if each mark is drawn, however many others there are. */
  exceptional?: boolean;
}

export interface MarkTrack extends Common {
  kind: 'marks';
  marks: readonly Marks[];
}

/** A PSN graph. Values are relative to the requester's first PSN. */
export interface PsnTrack extends Common {
  kind: 'psn';
  marks: readonly Marks[];
  /** Highest value. */
  top: number;
}

/** Packets of the same kind between two lanes. */
export interface Arrows {
  name: string;
  color: Color;
  from: number;
  to: number;
  exceptional: boolean;
  dashed: boolean;
  /** Shape in the middle of each arrow, so that color is not the only distinction. */
  mark?: Shape;
  /** Times of departure, or of the only capture. `y`: times of arrival; NaN if not captured. */
  stream: Stream;
}

export interface LadderTrack extends Common {
  kind: 'ladder';
  lanes: readonly string[];
  arrows: readonly Arrows[];
}

/** A value that holds until the next one. NaN: unknown from here on, and hatched among steps. */
export interface Line {
  name: string;
  color: Color;
  t: Float64Array;
  y: Float64Array;
}

export interface LineTrack extends Common {
  kind: 'lines';
  /**
   * `steps`: each value holds from its time on. Otherwise each holds up to its time: in a `stack`, lines are on top of
   * each other; `over` means that all start at the axis, with the highest behind.
   */
  form: 'steps' | 'stack' | 'over';
  lines: readonly Line[];
  top: number;
  unit: string;
  /** Duration for which each value holds before its time, ns; not for steps. */
  width?: number;
  /** Periods of warm-up, ns, which are in no figure. */
  warmUps?: readonly { from: number; to: number }[];
}

/** Latencies over time: number of latencies per interval and class. */
export interface HeatTrack extends Common {
  kind: 'heat';
  /** Ends of the intervals, and their lengths. */
  t: Float64Array;
  width: Float64Array;
  /** Lower end of the first class, ns. */
  least: number;
  /** Upper ends of the latency classes, ns, in order; equal steps on a log axis. */
  classes: Float64Array;
  /** Counts, `classes.length` per interval. */
  counts: Uint32Array;
  most: number;
}

export type Track = SpanTrack | MarkTrack | PsnTrack | LadderTrack | LineTrack | HeatTrack;

export type TrackKind = Track['kind'];

/** A heading and the tracks below it. */
export interface Group {
  id: string;
  title: string;
  /** Uncertainty of its times, ± ns; null on the clock of the run itself. */
  clockErrorNs: number | null;
  /** True if only the heading is shown at first. */
  folded: boolean;
}

/** Content of a timeline. */
export interface Timeline {
  tracks: readonly Track[];
  /** First and last time of all events. */
  domain: readonly [Time, Time];
  groups: readonly Group[];
}
