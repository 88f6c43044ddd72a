/** Where everything is in the picture of the paths, for a width. */
import type { Way } from '../../model/paths/byte-path';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface HostPlace {
  host: Box;
  program: Box;
  memory: Box;
  /** Device of the process, or NIC. */
  device: Box;
  kernel: Box;
  /** UDP socket, or device in the kernel. */
  upper: Box;
  tcp: Box;
  /** Middle of the line between the memory and the kernel of TCP. */
  copy: { x: number; y: number };
}

export interface Lane {
  /** From the client's memory to the server's, as corners. */
  points: readonly (readonly [x: number, y: number])[];
  /** Middle of the line between the hosts. */
  middle: { x: number; y: number };
}

export interface PathsGeometry {
  width: number;
  height: number;
  narrow: boolean;
  client: HostPlace;
  server: HostPlace;
  lanes: Readonly<Record<Way, Lane>>;
}

const HEIGHT = 392;
/** Width below which the names and figures of the lines stand above each other. */
const NARROW_BELOW = 640;
const TOP = 24;
const SPLIT = 226;
const MEMORY = { top: 88, bottom: 200 };
const DIRECT = 122;
const VIA = 166;
const UPPER = 274;
const TCP = 336;

const mirrored = ({ x, w, ...rest }: Box, width: number): Box => ({ ...rest, w, x: width - x - w });

/** The client's host; the server's is its mirror image. */
function hostPlace(w: number, narrow: boolean): Omit<HostPlace, 'copy'> {
  const edge = narrow ? 8 : 12;
  const memory = { x: edge, y: MEMORY.top, w: w * 0.36, h: MEMORY.bottom - MEMORY.top };
  const inner = { x: w * 0.56, w: w * 0.44 - edge };
  return {
    host: { x: 0.5, y: TOP, w: w - 1, h: HEIGHT - TOP - 1 },
    program: { x: 1, y: TOP, w: w - 2, h: 38 },
    memory,
    device: { ...inner, y: MEMORY.top, h: 100 },
    kernel: { x: 1, y: SPLIT, w: w - 2, h: HEIGHT - SPLIT - 2 },
    upper: { ...inner, y: UPPER - 13, h: 26 },
    tcp: { ...inner, y: TCP - 13, h: 26 },
  };
}

export function pathsGeometry(width: number): PathsGeometry {
  const narrow = width < NARROW_BELOW;
  const w = Math.round(width * (narrow ? 0.36 : 0.37));
  const own = hostPlace(w, narrow);
  const copyX = own.memory.x + own.memory.w / 2;
  const client = { ...own, copy: { x: copyX, y: (SPLIT + TCP) / 2 } };
  const server: HostPlace = {
    host: mirrored(own.host, width),
    program: mirrored(own.program, width),
    memory: mirrored(own.memory, width),
    device: mirrored(own.device, width),
    kernel: mirrored(own.kernel, width),
    upper: mirrored(own.upper, width),
    tcp: mirrored(own.tcp, width),
    copy: { x: width - copyX, y: client.copy.y },
  };
  const edge = own.memory.x + own.memory.w;
  const turn = own.device.x + own.device.w / 2;
  const lane = (half: readonly (readonly [number, number])[], y: number): Lane => ({
    points: [...half, ...half.toReversed().map(([x, at]) => [width - x, at] as const)],
    middle: { x: width / 2, y },
  });
  const direct = lane([[edge, DIRECT]], DIRECT);
  const via = lane(
    [
      [edge, VIA],
      [turn, VIA],
      [turn, UPPER],
    ],
    UPPER,
  );
  const tcp = lane(
    [
      [copyX, MEMORY.bottom],
      [copyX, TCP],
    ],
    TCP,
  );
  const of: Record<Way, Lane> = {
    rings: direct,
    nic: direct,
    device: direct,
    sockets: via,
    driver: via,
    tcp,
  };
  return { width, height: HEIGHT, narrow, client, server, lanes: of };
}

/** Widest line, px, and the thinnest that can be seen. */
export const WIDEST = 12;
export const THINNEST = 1.5;

/** Width of a line: in proportion to its goodput, up to the thinnest that can be seen. */
export const lineWidth = (goodput: number, fastest: number): number =>
  fastest > 0 ? Math.max(THINNEST, (WIDEST * goodput) / fastest) : THINNEST;
