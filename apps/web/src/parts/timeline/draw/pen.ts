import { HEAT_TOKENS } from '../../../ui/heat-scale';
import type { Colour } from '../model/track';
import type { Time } from '../model/stream';

/** A stretch of time, and its width in CSS pixels. */
export interface View {
  from: Time;
  to: Time;
  width: number;
}

export const xOf = ({ from, to, width }: View, t: Time): number => ((t - from) / (to - from)) * width;
export const timeAt = ({ from, to, width }: View, x: number): Time => from + (x / width) * (to - from);

const EXTRA = [
  ...(['ink', 'ink-3', 'line', 'grid', 'panel', 'accent-wash', 'ok-ink', 'hover'] as const),
  ...HEAT_TOKENS,
] as const;
type Token = Colour | (typeof EXTRA)[number];
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
  colours: Palette;
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
