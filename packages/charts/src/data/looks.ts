import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import type { CostKey } from './chart-rows.js';

/** Dashes of the transports, so that lines differ in more than color. */
export const TRANSPORT_DASH: Readonly<Record<Transport, string | undefined>> = {
  rdma: undefined,
  shm: '10 3',
  tcp: '6 3',
  udp: '2 3',
};

export const COST_NAME: Readonly<Record<CostKey, string>> = {
  app: 'Application',
  nic: 'NIC work',
  kernel: 'Kernel',
  outside: 'Kernel outside of processes',
};

export type Marker = 'circle' | 'square' | 'triangle' | 'diamond';

export interface SeriesLook {
  /** Name of a data color: a transport, or `series-1` to `series-4`. */
  color: string;
  dash: string | undefined;
  /** Shape of the points; null: none are drawn. */
  marker: Marker | null;
  /** False if no line connects the points. */
  joined: boolean;
}

/** A series of a chart, as a lab declares it: a part of `CurveSpec`. */
export interface LookedAt {
  name: string;
  like?: string | undefined;
  drawn?: 'line' | 'points' | undefined;
}

const COLORS = ['series-1', 'series-2', 'series-3', 'series-4'];
/** A gray like that of UDP. Charts with UDP do not use it. */
const GRAY = 'series-3';
const DASHES = [undefined, '6 3', '2 3', '10 3'];
const MARKERS: readonly Marker[] = ['circle', 'square', 'triangle', 'diamond'];

/**
 * The looks of the series of a chart. A transport has the same color everywhere; other series have four colors of their
 * own. Dashes distinguish lines without color. Where a color repeats, dash and marker differ. A series that is like another has
 * its color and dash, and another marker.
 */
export function seriesLooks(series: readonly LookedAt[]): SeriesLook[] {
  const colors = series.some(({ name }) => name === 'udp')
    ? COLORS.filter((color) => color !== GRAY)
    : COLORS;
  let own = 0;
  /** `markers`: those that its series have taken. */
  type Look = Pick<SeriesLook, 'color' | 'dash'> & { markers: number };
  const looks = new Map<string, Look>();
  const first = (name: string): Look => {
    const transport = TRANSPORTS.find((one) => one === name);
    if (transport) return { color: transport, dash: TRANSPORT_DASH[transport], markers: 0 };
    const [place, turn] = [own % colors.length, Math.floor(own / colors.length)];
    own++;
    return { color: colors[place]!, dash: DASHES[(place + turn) % DASHES.length], markers: turn };
  };
  return series.map(({ name, like, drawn }) => {
    const look = (like === undefined ? undefined : looks.get(like)) ?? first(name);
    looks.set(like ?? name, look);
    const { color, dash } = look;
    // A line has no use for a marker, which is left to the series whose points are like it.
    const marker = drawn === 'line' ? null : MARKERS[look.markers++ % MARKERS.length]!;
    return { color, dash, marker, joined: drawn !== 'points' };
  });
}

/** Series in the order of drawing. Lines with wider gaps come later, so that none hides another. */
export function drawOrder(dashes: readonly (string | undefined)[]): number[] {
  const gaps = (dash: string | undefined): number => {
    if (dash === undefined) return 0;
    const [on = 1, off = 0] = dash.split(' ').map(Number);
    return off / on;
  };
  return dashes.map((_, i) => i).sort((a, b) => gaps(dashes[a]) - gaps(dashes[b]));
}

/** The outline of a point. `r`: pixels from its center to its edge. */
export function markerPath(marker: Marker, x: number, y: number, r: number): string {
  const at = (dx: number, dy: number): string => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  switch (marker) {
    case 'circle':
      return `M${at(-r, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case 'square':
      return `M${at(-r, -r)}L${at(r, -r)}L${at(r, r)}L${at(-r, r)}z`;
    case 'triangle':
      return `M${at(0, -r)}L${at(r, r)}L${at(-r, r)}z`;
    case 'diamond':
      return `M${at(0, -r)}L${at(r, 0)}L${at(0, r)}L${at(-r, 0)}z`;
  }
}

/** Width of the line of a series in a key, pixels. */
export const KEY_WIDTH = 22;

/**
 * The outline of the points of a series in the middle of its line in a key, at the height `y`. Null where the line says enough:
 * most series have circles.
 */
export function keyMark({ marker, joined }: Pick<SeriesLook, 'marker' | 'joined'>, y: number): string | null {
  if (marker === null || (joined && marker === 'circle')) return null;
  return markerPath(marker, KEY_WIDTH / 2, y, joined ? 3 : 4);
}
