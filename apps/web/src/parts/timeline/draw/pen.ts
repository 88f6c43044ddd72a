import { HEAT_TOKENS } from '../../../ui/heat-scale';
import type { Color } from '../model/track';
import type { Time } from '../model/stream';
import { UNCUT, type TimeAxis } from '../model/time-axis';

/** A stretch of time, and its width in CSS pixels. */
export interface View {
  from: Time;
  to: Time;
  width: number;
  /** Absent: an axis without cuts. */
  axis?: TimeAxis;
}

export const axisOf = ({ axis = UNCUT }: View): TimeAxis => axis;

/** Length of a view on its axis, without what is cut, ns. */
export const lengthOf = (view: View): number => axisOf(view).place(view.to) - axisOf(view).place(view.from);

export function xOf(view: View, t: Time): number {
  const axis = axisOf(view);
  return ((axis.place(t) - axis.place(view.from)) / lengthOf(view)) * view.width;
}

export function timeAt(view: View, x: number): Time {
  const axis = axisOf(view);
  return axis.time(axis.place(view.from) + (x / view.width) * lengthOf(view));
}

const EXTRA = [
  ...(['ink', 'ink-3', 'line', 'grid', 'panel', 'accent-wash', 'ok-ink', 'hover'] as const),
  ...HEAT_TOKENS,
] as const;
type Token = Color | (typeof EXTRA)[number];
export type Palette = Readonly<Record<Token, string>>;

const TOKENS: readonly Token[] = [
  'rdma',
  'shm',
  'tcp',
  'udp',
  'retx',
  'nak',
  'error',
  'cpu-app',
  'cpu-nic',
  'cpu-kernel',
  'line-strong',
  'ink-2',
  'accent',
  ...EXTRA,
];

/** Reads the current values of the theme's custom properties, which a canvas does not know. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(TOKENS.map((t) => [t, style.getPropertyValue(`--${t}`).trim()])) as Record<
    Token,
    string
  >;
}

/** Items marked in all tracks: the selection and the items related to it. */
export interface Chosen {
  wr: ReadonlySet<number>;
  packet: ReadonlySet<number>;
  event: ReadonlySet<number>;
}

export interface Pen {
  ctx: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  view: View;
  height: number;
  colors: Palette;
  chosen: Chosen;
}

/** An item of a track that can be selected. */
export interface Item {
  of: 'wr' | 'packet' | 'event';
  ref: number;
  /** Start of the item; keys continue from here. */
  t: Time;
  text: string;
}
