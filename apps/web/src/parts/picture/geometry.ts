/**
 * Places of everything in the canonical picture. They depend on its width, on the queues that the hosts have and on
 * nothing else, so no part moves while the picture plays.
 */
import type { Flow, PictureState, QueueKind, Side } from '../../model/picture/state';

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

/** The corners of a line. */
export type Line = readonly Point[];

/** A text: where its baseline begins or ends, and how wide it may be. */
export interface Place extends Point {
  w: number;
  anchor?: 'middle' | 'end';
}

export interface RingPlace extends Point {
  r: number;
  /** Ring with its pointers. */
  box: Box;
  /** Name of the queue, left of the line to the library. */
  label: Place;
  /** First of `lines` lines of text on the side of the memory. */
  note: Place & { lines: number };
  /** From the library to the ring, and from the ring to the device. */
  library: Line;
  device: Line;
}

/** Program or library: its name, and beside or below it what it does. */
export interface RowPlace {
  box: Box;
  label: Place;
  text: Place;
  /** The text is below the name. */
  stacked: boolean;
}

export interface HostPlace {
  side: Side;
  box: Box;
  title: Place;
  program: RowPlace;
  library: RowPlace;
  /** Zone of the rings. */
  queues: Box;
  rings: Readonly<Partial<Record<QueueKind, RingPlace>>>;
  memory: {
    box: Box;
    /** Bar of the address ruler. */
    bar: Box;
    /** Text may reach this x. */
    end: number;
    /** The address has a line of its own. */
    roomy: boolean;
    /** Lines for the named range. */
    lines: number;
  };
  device: { box: Box; label: Place; text: Place & { lines: number }; identity: Place };
  kernel: { box: Box; label: Place };
  doorbell: Line;
  bell: Place | null;
  /** From the ruler through the device to the wire. */
  data: Line;
  /** Where packets leave and arrive. */
  ports: Readonly<Record<'data' | 'answers', Point>>;
}

export interface Geometry {
  width: number;
  height: number;
  /** The hosts are above each other. */
  tall: boolean;
  hosts: Readonly<Record<Side, HostPlace>>;
  wire: Box;
  title: Place;
  dataText: Place;
  answerText: Place;
}

/** `large` explains one request, `usual` is for labs, `low` leaves room for other content on the first screen. */
export type PictureSize = 'large' | 'usual' | 'low';

export interface PictureShape {
  width: number;
  size: PictureSize;
  /** A host to draw small; null for none. */
  compact: Side | null;
  queues: Readonly<Record<Side, readonly QueueKind[]>>;
}

/** A picture narrower than this stacks its hosts. */
export const TALL_BELOW = 660;

/** Queues from the outer edge of a host to its device. */
const KINDS: readonly QueueKind[] = ['sq', 'rq', 'cq'];

/** The queues that the hosts of a state have. */
export const queuesOf = ({ hosts }: PictureState): PictureShape['queues'] => ({
  client: KINDS.filter((kind) => hosts.client.rings[kind]),
  server: KINDS.filter((kind) => hosts.server.rings[kind]),
});

/** The line of a flow, in its direction. Undefined if the host has no such queue. */
export function lineOf(host: HostPlace, flow: Flow): Line | undefined {
  if (flow === 'doorbell') return host.doorbell;
  const [from, to] = flow.split('>') as [string, string];
  if (from === 'memory') return host.data;
  if (to === 'memory') return host.data.toReversed();
  const inward = from === 'library' || to === 'device';
  const ring = host.rings[(from === 'library' || from === 'device' ? to : from) as QueueKind];
  const line = from === 'library' || to === 'library' ? ring?.library : ring?.device;
  return inward ? line : line?.toReversed();
}

const lengthOf = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

/** Point of a line after a part of its length. */
export function along(line: Line, part: number): Point {
  let left = line.slice(1).reduce((sum, to, i) => sum + lengthOf(line[i]!, to), 0) * part;
  for (const [i, to] of line.slice(1).entries()) {
    const from = line[i]!;
    const length = lengthOf(from, to);
    if (left <= length && length > 0) {
      return { x: from.x + ((to.x - from.x) * left) / length, y: from.y + ((to.y - from.y) * left) / length };
    }
    left -= length;
  }
  return line.at(-1)!;
}

/** The line as data of an SVG path. */
export const pathOf = (line: Line): string => `M${line.map(({ x, y }) => `${x} ${y}`).join('L')}`;
