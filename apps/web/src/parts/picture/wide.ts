import type { QueueKind, Side } from '../../model/picture/state';
import type {
  Box,
  Geometry,
  HostPlace,
  PictureShape,
  PictureSize,
  Point,
  RingPlace,
  RowPlace,
} from './geometry';

const TOP = 24;
const PAD = 12;
/** How far the title of the wire may stand above a host. */
const BESIDE = 80;
/** Width of a host that is drawn small: that of its rings, and at least this. */
const SMALL_HOST = 190;
const smallHost = (rings: number): number => Math.max(SMALL_HOST, 106 + rings * 50);
/** A host narrower than this is one that is drawn small. */
const SMALLER = 258;
/** Below this width a host writes its code and the library's words on a line of their own. */
const ONE_LINE_FROM = 400;

interface Heights {
  program: number;
  library: number;
  queues: number;
  memory: number;
  kernel: number;
  /** Largest radius of a ring, and lines of text below it. */
  radius: number;
  notes: number;
  /** Height of the ruler's bar, and lines for the range that a request names. */
  bar: number;
  named: number;
  /** The address of a region has a line of its own. */
  roomy: boolean;
}

const SIZES: Readonly<Record<PictureSize, Heights>> = {
  large: {
    ...{ program: 48, library: 40, queues: 176, memory: 126, kernel: 52 },
    ...{ radius: 52, notes: 2, bar: 22, named: 1, roomy: true },
  },
  usual: {
    ...{ program: 44, library: 40, queues: 156, memory: 110, kernel: 38 },
    ...{ radius: 46, notes: 2, bar: 22, named: 2, roomy: false },
  },
  low: {
    ...{ program: 36, library: 30, queues: 110, memory: 92, kernel: 30 },
    ...{ radius: 32, notes: 1, bar: 18, named: 1, roomy: false },
  },
};

/** Height of a wide picture: the same at every width. */
export function wideHeight(size: PictureSize): number {
  const { program, library, queues, memory, kernel } = SIZES[size];
  return TOP + program + library + queues + memory + kernel + 1;
}

/** Hosts beside each other, the devices at the wire between them. */
export function wide({ width, size, compact, queues }: PictureShape): Geometry {
  const heights = SIZES[size];
  const gap = compact === null ? Math.max(120, Math.round(width * 0.172)) : 120;
  const widths: Record<Side, number> = {
    client: Math.round((width - gap) / 2),
    server: 0,
  };
  if (compact) {
    widths[compact] = smallHost(queues[compact].length);
    widths[compact === 'client' ? 'server' : 'client'] = width - gap - widths[compact];
  } else widths.server = width - gap - widths.client;
  const place = (side: Side): HostPlace =>
    host(side, side === 'client' ? 0.5 : width - widths.server - 0.5, widths[side], heights, queues[side]);
  const hosts = { client: place('client'), server: place('server') };
  const { data, answers } = hosts.client.ports;
  const height = wideHeight(size);
  const middle = { x: widths.client + gap / 2, w: gap - 12, anchor: 'middle' } as const;
  return {
    ...{ width, height, tall: false, hosts },
    wire: { x: data.x, y: TOP, w: hosts.server.ports.data.x - data.x, h: height - TOP },
    title: { ...middle, y: 14, w: gap + 2 * (compact ? BESIDE / 4 : BESIDE) },
    dataText: { ...middle, y: data.y + 32 },
    answerText: { ...middle, y: answers.y - 34 },
  };
}

function host(side: Side, x0: number, w: number, heights: Heights, kinds: readonly QueueKind[]): HostPlace {
  const client = side === 'client';
  /** Boxes from the outer edge: the server is the mirror image of the client. */
  const at = (x: number, boxWidth = 0): number => (client ? x0 + x : x0 + w - x - boxWidth);
  const narrow = w < ONE_LINE_FROM;
  const device = w < SMALLER ? 86 : narrow ? 92 : 124;
  const inner = w - device;
  const gutter = narrow ? PAD : 26;
  const zone = inner - gutter - (narrow ? 8 : PAD);
  const top = { program: TOP, library: TOP + heights.program, queues: 0, memory: 0, kernel: 0 };
  top.queues = top.library + heights.library;
  top.memory = top.queues + heights.queues;
  top.kernel = top.memory + heights.memory;
  const bottom = top.kernel + heights.kernel;

  // Narrow rings leave room for one more line.
  const notes = heights.notes === 1 || !narrow ? heights.notes : heights.notes + 1;
  const bus = top.memory - notes * 15 - 7;
  const bar = { x: at(gutter, zone), y: top.memory + (heights.bar < 20 ? 42 : 46), w: zone, h: heights.bar };
  const dataY = bar.y + bar.h / 2;
  const deviceBox = { x: at(inner, device), y: top.queues, w: device, h: bottom - top.queues };
  const edge = at(w);
  // Down to the line of the data.
  const lines = Math.floor((dataY - 12 - top.queues - 51) / 15) + 1;
  const stacked = narrow && heights.library > 32;
  const rings: Partial<Record<QueueKind, RingPlace>> = {};
  const step = zone / Math.max(1, kinds.length);
  const radius = Math.min(
    heights.radius,
    Math.floor(step / 2 - 8.5),
    Math.floor((bus - top.queues - 30) / 2),
  );
  for (const [i, kind] of kinds.entries()) {
    const x = Math.round(at(gutter + step * (i + 0.5)));
    const y = Math.round((top.queues + 20 + bus - 10) / 2);
    const note = { x, y: bus + 18, w: step, anchor: 'middle' as const, lines: notes };
    rings[kind] = {
      ...{ x, y, r: radius, note },
      ...ringLines(x, y, radius, Math.min(30, gutter + step / 2 - 28), top.queues, { x: at(inner), y: bus }),
    };
  }
  const bellX = Math.round(deviceBox.x + Math.min(device - 14, 82));
  return {
    ...{ side, rings },
    box: { x: x0, y: TOP + 0.5, w, h: bottom - TOP },
    title: {
      x: at(0),
      y: 14,
      w: w - (w < SMALLER ? BESIDE / 4 : BESIDE) - 5,
      ...(client ? {} : { anchor: 'end' }),
    },
    program: row({ x: x0, y: top.program, w, h: heights.program }, stacked),
    library: row({ x: x0, y: top.library, w, h: heights.library }, stacked),
    queues: { x: at(0, inner), y: top.queues, w: inner, h: heights.queues },
    memory: {
      box: { x: at(0, inner), y: top.memory, w: inner, h: heights.memory },
      ...{ bar, end: bar.x + bar.w },
      roomy: heights.roomy,
      lines: heights.named,
    },
    device: {
      box: deviceBox,
      label: { x: deviceBox.x + PAD, y: top.queues + 34, w: device - PAD },
      text: { x: deviceBox.x + PAD, y: top.queues + 51, w: device - PAD - 5, lines },
      identity: { x: deviceBox.x + PAD, y: bottom - 10, w: device - PAD - 5 },
    },
    kernel: {
      box: { x: at(0, inner), y: top.kernel, w: inner, h: heights.kernel },
      label: { x: at(gutter, zone), y: top.kernel + heights.kernel / 2 + 4, w: zone },
    },
    doorbell: [
      { x: bellX, y: top.queues - 5 },
      { x: bellX, y: top.queues + 16 },
    ],
    bell: { x: deviceBox.x + PAD, y: top.queues + 15, w: bellX - deviceBox.x - PAD - 4 },
    data: [
      { x: at(gutter + zone), y: dataY },
      { x: edge, y: dataY },
    ],
    ports: { data: { x: edge, y: dataY }, answers: { x: edge, y: bus } },
  };
}

/** Name of a ring, its box and its lines: down from the library, and down to a line that leads to the device. */
function ringLines(x: number, y: number, r: number, left: number, library: number, device: Point) {
  return {
    box: { x: x - r - 9, y: y - r - 9, w: 2 * r + 18, h: 2 * r + 18 },
    label: {
      ...{ x: x - (r < 28 ? 6 : left), y: y - r - (r < 28 ? 11 : 3) },
      ...{ w: 32, anchor: 'end' as const },
    },
    library: [
      { x, y: library },
      { x, y: y - r },
    ],
    device: [{ x, y: y + r }, { x, y: device.y }, device],
  };
}

function row(box: Box, stacked: boolean): RowPlace {
  const x = box.x + PAD;
  const w = box.w - 2 * PAD;
  const middle = box.y + box.h / 2;
  return {
    ...{ box, stacked },
    label: { x, y: stacked ? middle - 4 : middle + 4, w },
    text: stacked ? { x, y: middle + 13, w } : { x: x + 58, y: middle + 4, w: w - 58 },
  };
}
