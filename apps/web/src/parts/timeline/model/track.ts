import type { Stream, Time } from './stream';
import type { Row } from './spans';

/** A colour of the drawing: the name of a token of styles/tokens.css. */
export type Colour =
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

/** What stands at the left of a track, and what is said of it. */
interface Common {
  id: string;
  /** Heading that the track stands under: an endpoint, or the whole run. */
  group: string;
  title: string;
  /** What is left out, sampled or unknown in it; absent where all is there. */
  caveat?: string;
  /** CSS pixels. */
  height: number;
}

export interface SpanTrack extends Common {
  kind: 'spans';
  rows: readonly Row[];
  /** What a span is: decides where a click leads. */
  of: 'wr' | 'event';
}

export type Shape = 'tick' | 'triangle' | 'cross' | 'dot' | 'diamond';

/** Marks of one kind on the line of a track. */
export interface Marks {
  name: string;
  colour: Colour;
  shape: Shape;
  stream: Stream;
  of: 'packet' | 'event' | 'wr';
  /** Exceptional marks are drawn each, however many others there are. */
  exceptional?: boolean;
}

export interface MarkTrack extends Common {
  kind: 'marks';
  marks: readonly Marks[];
}

/** A PSN graph: values of the streams, from the first PSN of the requester on. */
export interface PsnTrack extends Common {
  kind: 'psn';
  marks: readonly Marks[];
  /** Highest value. */
  top: number;
}

/** Packets between two lanes, of one kind. */
export interface Arrows {
  name: string;
  colour: Colour;
  from: number;
  to: number;
  exceptional: boolean;
  dashed: boolean;
  /** What each arrow carries in its middle, so that its color is not its only sign. */
  mark?: Shape;
  /** Time of departure, or of the only capture. `y`: time of arrival; NaN where that was not captured. */
  stream: Stream;
}

export interface LadderTrack extends Common {
  kind: 'ladder';
  lanes: readonly string[];
  arrows: readonly Arrows[];
}

/** A value that holds until the next one. NaN: not known from there on. */
export interface Line {
  name: string;
  colour: Colour;
  t: Float64Array;
  y: Float64Array;
}

export interface LineTrack extends Common {
  kind: 'lines';
  /**
   * `steps`: each value holds from its time on. Otherwise each holds up to its time: in a `stack`, lines stand on one
   * another; `over` means that all stand on the axis, the highest behind.
   */
  form: 'steps' | 'stack' | 'over';
  lines: readonly Line[];
  top: number;
  unit: string;
  /** Unless they are steps: how long each value holds before its time, ns. */
  width?: number;
  /** Stretches of warm-up, ns: no figure includes them. */
  warmUps?: readonly { from: number; to: number }[];
}

/** Latencies over time: how many of each interval fell into each class. */
export interface HeatTrack extends Common {
  kind: 'heat';
  /** Ends of the intervals, and their lengths. */
  t: Float64Array;
  width: Float64Array;
  /** Lower end of the first class, ns. */
  least: number;
  /** Upper ends of the classes of latency, ns, in order; equal steps of a log axis. */
  classes: Float64Array;
  /** Counts, `classes.length` for each interval. */
  counts: Uint32Array;
  most: number;
}

export type Track = SpanTrack | MarkTrack | PsnTrack | LadderTrack | LineTrack | HeatTrack;

export type TrackKind = Track['kind'];

/** A heading, and the tracks below it. */
export interface Group {
  id: string;
  title: string;
  /** How sure its times are: ± ns; null on the clock of the run itself. */
  clockErrorNs: number | null;
  /** Whether only the heading is shown at first. */
  folded: boolean;
}

/** What a timeline shows. */
export interface Timeline {
  tracks: readonly Track[];
  /** Of all that happened. */
  domain: readonly [Time, Time];
  groups: readonly Group[];
}
