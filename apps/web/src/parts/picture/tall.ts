import type { QueueKind, Side } from '../../model/picture/state';
import type { Geometry, HostPlace, PictureShape, RingPlace, RowPlace } from './geometry';

const TITLE = 24;
const PAD = 12;
const PROGRAM = 42;
const LIBRARY = 28;
const DEVICE = 44;
const WIRE = 106;
const KERNEL = 36;
/** Lines of control run left of everything else: the doorbell, then the queues. */
const DOORBELL = 9;
const CONTROL = 18;
const LEFT = 30;
const MEMORY = { roomy: 112, low: 94 };
const BAR = 22;

/** Rings: as large as they may be, and the height of their zone. Hosts without queues keep a gap. */
const RINGS = {
  usual: { radius: 32, height: 138, notes: 2 },
  low: { radius: 24, height: 104, notes: 1 },
  none: { radius: 0, height: 12, notes: 0 },
};

const ringsOf = ({ queues, size }: PictureShape, side: Side) =>
  queues[side].length === 0 ? RINGS.none : size === 'low' ? RINGS.low : RINGS.usual;

function hostHeight(shape: PictureShape, side: Side): number {
  const memory = shape.size === 'large' ? MEMORY.roomy : MEMORY.low;
  return PROGRAM + LIBRARY + ringsOf(shape, side).height + memory + DEVICE;
}

export const tallHeight = (shape: PictureShape): number =>
  2 * TITLE + hostHeight(shape, 'client') + WIRE + hostHeight(shape, 'server') + 1;

/** Hosts above each other: the client's device at its bottom, the server's at its top, kernels at the right. */
export function tall(shape: PictureShape): Geometry {
  const { width } = shape;
  const clientEnd = TITLE + hostHeight(shape, 'client');
  const height = tallHeight(shape);
  const hosts = {
    client: host(shape, 'client', TITLE),
    server: host(shape, 'server', clientEnd + WIRE),
  };
  const { data } = hosts.client.ports;
  const text = { x: 116, w: data.x - 74 - 116 };
  return {
    ...{ width, height, tall: true, hosts },
    wire: { x: 0, y: clientEnd, w: width, h: WIRE },
    title: { ...text, y: clientEnd + 17, w: data.x - 50 - text.x },
    answerText: { ...text, y: clientEnd + 50 },
    dataText: { ...text, y: clientEnd + 83 },
  };
}

function host(shape: PictureShape, side: Side, y0: number): HostPlace {
  const { queues, size } = shape;
  const width = shape.width - 1;
  const client = side === 'client';
  const all = hostHeight(shape, side);
  /** Boxes from the outer edge: the server is the mirror image of the client. */
  const at = (y: number, h = 0): number => (client ? y0 + y : y0 + all - y - h);
  const inner = width - KERNEL;
  const zone = inner - LEFT - 8;
  const { height: ringZone, notes, radius: largest } = ringsOf(shape, side);
  const memory = size === 'large' ? MEMORY.roomy : MEMORY.low;
  const below = {
    library: PROGRAM,
    queues: PROGRAM + LIBRARY,
    memory: PROGRAM + LIBRARY + ringZone,
    device: 0,
  };
  below.device = below.memory + memory;

  const memoryTop = at(below.memory, memory);
  const queuesTop = at(below.queues, ringZone);
  const bar = { x: LEFT, y: memoryTop + 44, w: zone, h: BAR };
  const laneX = Math.round(bar.x + bar.w - 9);
  const edge = at(all);
  const deviceTop = at(below.device, DEVICE);
  const entry = at(below.device);
  const room = notes * 15 + 7;
  const bus = client ? queuesTop + ringZone - room : queuesTop + room;

  const rings: Partial<Record<QueueKind, RingPlace>> = {};
  const step = zone / Math.max(1, queues[side].length);
  const radius = Math.min(largest, Math.floor(step / 2 - 9));
  for (const [i, kind] of queues[side].entries()) {
    const x = Math.round(LEFT + step * (i + 0.5));
    const y = client ? bus - 10 - radius : bus + 24 + radius;
    const near = client ? y - radius : y + radius;
    const far = client ? y + radius : y - radius;
    rings[kind] = {
      ...{ x, y, r: radius },
      box: { x: x - radius - 9, y: y - radius - 9, w: 2 * radius + 18, h: 2 * radius + 18 },
      label: { x: x - 30, y: y - radius - 8, w: 32, anchor: 'end' },
      note: { x, y: client ? bus + 18 : bus - 12, w: step - 6, anchor: 'middle', lines: notes },
      library: [
        { x, y: at(below.queues) },
        { x, y: near },
      ],
      device: [
        { x, y: far },
        { x, y: bus },
        { x: CONTROL, y: bus },
        { x: CONTROL, y: entry },
      ],
    };
  }
  return {
    ...{ side, rings },
    box: { x: 0.5, y: y0, w: width, h: all },
    title: { x: 0, y: client ? 15 : y0 + all + 18, w: width },
    program: row(at(0, PROGRAM), PROGRAM, width, true),
    library: row(at(below.library, LIBRARY), LIBRARY, width, false),
    queues: { x: 0.5, y: queuesTop, w: inner, h: ringZone },
    memory: {
      box: { x: 0.5, y: memoryTop, w: inner, h: memory },
      ...{ bar, end: laneX - 8 },
      roomy: size === 'large',
      lines: 1,
    },
    device: {
      box: { x: 0.5, y: deviceTop, w: width, h: DEVICE },
      label: { x: LEFT, y: deviceTop + 18, w: 46 },
      text: { x: LEFT + 48, y: deviceTop + 18, w: laneX - LEFT - 58, lines: 1 },
      identity: { x: LEFT, y: deviceTop + 36, w: laneX - LEFT - 10 },
    },
    kernel: {
      box: { x: inner + 0.5, y: at(below.queues, ringZone + memory), w: KERNEL, h: ringZone + memory },
      label: {
        x: inner + KERNEL / 2 + 4,
        y: at(below.queues + (ringZone + memory) / 2),
        w: ringZone + memory - 12,
      },
    },
    doorbell: [
      { x: DOORBELL, y: at(below.queues - 4) },
      { x: DOORBELL, y: entry },
    ],
    bell: null,
    data: [
      { x: laneX, y: client ? bar.y + bar.h : bar.y },
      { x: laneX, y: edge },
    ],
    ports: { data: { x: laneX, y: edge }, answers: { x: 50, y: edge } },
  };
}

function row(y: number, h: number, width: number, stacked: boolean): RowPlace {
  const w = width - 2 * PAD;
  return {
    ...{ box: { x: 0.5, y, w: width, h }, stacked },
    label: { x: PAD, y: y + (stacked ? 17 : h / 2 + 4), w },
    text: stacked ? { x: PAD, y: y + 34, w } : { x: PAD + 54, y: y + h / 2 + 4, w: w - 54 },
  };
}
