import type { EndpointRef } from '../../models/types.js';
import { opcodeInfo } from '../../base/opcodes.js';
import type { OpcodeInfo } from '../../base/opcodes.js';
import type { IndexedCapture } from '../index-capture.js';
import { Mark } from '../../models/marks.js';
import { NONE } from '../packet-columns.js';
import { blocksOf } from './blocks.js';
import type { Blocks } from './blocks.js';
import { Delays } from './delays.js';
import { Lanes } from './lanes.js';
import { CM_QP, hasPlace, isAnswer, PacketClass, packetClass } from './packet-class.js';
import { Ways } from './ways.js';
import type { Requester, Way } from './ways.js';

/** Requesters with a graph of their own: a page shows no more graphs. */
const REQUESTERS = 6;
const NOWHERE = 0xffff;

/** Packets of one class between two lanes, in the order of their times. */
export interface CaptureStream {
  of: PacketClass;
  from: number;
  to: number;
  /** Index into `requesters`; -1 for a requester that is not listed. */
  requester: number;
  packets: Uint32Array;
  blocks: Blocks;
}

/** All packets from one address to one QP of another. */
export interface CaptureFlow {
  from: EndpointRef;
  to: EndpointRef;
  /** Place of the first request of the sender, and of the first request that the answers belong to; -1 if unknown. */
  firstRequest: number;
  firstAnswered: number;
}

/** The parts of a capture that a timeline draws. Plain data that can be transferred to another thread. */
export interface CaptureStreams {
  lanes: readonly string[];
  /** Hosts or QPs that share the last lane. */
  laneOf: number;
  /** The busiest requesters, and the place of the first request of each. */
  requesters: readonly { end: EndpointRef; connection: number; first: number }[];
  /** Number of requesters in the capture. */
  requestersOf: number;
  streams: readonly CaptureStream[];
  /** PSN of each packet with the 24-bit wrap undone; 0 for a packet whose requester is unknown. */
  places: Uint32Array;
  /** From one address to one QP of another. */
  flows: readonly CaptureFlow[];
  /** Flow of each packet; 65,535 where there is none. */
  flowOf: Uint16Array;
  /** Time in flight of each packet, ns; null if no packet was captured at both ends. */
  delays: Float32Array | null;
}

interface Filling {
  stream: CaptureStream;
  at: number;
  lastT: number;
  sorted: boolean;
}

/** The memory of the streams, to hand over to another thread. */
export function streamBuffers({ streams, places, flowOf, delays }: CaptureStreams): ArrayBuffer[] {
  const arrays: ArrayBufferView[] = [places, flowOf, ...(delays ? [delays] : [])];
  for (const { packets, blocks } of streams)
    for (const array of [packets, blocks.t, blocks.least, blocks.most]) arrays.push(array);
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

/** Sorts the packets of a capture for a timeline. Arrivals are left out if the capture holds the departure. */
export function captureStreams(
  capture: Pick<IndexedCapture, 'columns' | 'addresses' | 'diagnosis'>,
): CaptureStreams {
  const { columns: c } = capture;
  const ways = new Ways(capture);
  const delays = new Delays(c);
  const places = new Uint32Array(c.length);
  const classes = new Uint8Array(c.length).fill(NONE);
  const flowOf = new Uint16Array(c.length).fill(NOWHERE);
  for (let i = 0; i < c.length; i++) {
    const opcode = c.opcode[i]!;
    const way = opcode === NONE ? null : ways.of(c, i);
    if (!way) continue;
    flowOf[i] = Math.min(way.index, NOWHERE);
    const info = opcodeInfo(opcode);
    if ((c.marks[i]! & Mark.copy) !== 0) {
      delays.arrives(way, i);
      places[i] = placeBeside(way, info, c, i);
      continue;
    }
    delays.departs(way, i);
    const of = packetClass(info, c.marks[i]!, c.destQp[i]!);
    classes[i] = of;
    way.packets++;
    const requester = requesterOf(way, of);
    if (!requester) {
      if (of === PacketClass.broken) places[i] = placeBeside(way, info, c, i);
      continue;
    }
    requester.packets++;
    if (isAnswer(of)) places[i] = requester.places.answer(c.psn[i]!);
    else {
      requester.requests++;
      places[i] = requester.places.request(c.psn[i]!);
    }
  }
  const asking = ways.requesters.filter(({ requests }) => requests > 0);
  const shown = new Map(
    asking
      .toSorted((a, b) => b.packets - a.packets)
      .slice(0, REQUESTERS)
      .map((requester, i) => [requester, i]),
  );
  const lanes = new Lanes(ways.all);
  const { streams, of } = assigned(capture.columns, ways, classes, lanes, shown);
  filled(streams, of, c.t);
  for (const { stream } of streams) stream.blocks = blocksOf(stream.packets, c.t, places);
  return {
    lanes: lanes.labels,
    laneOf: lanes.together,
    requesters: [...shown.keys()].map(({ end, connection, places: { first } }) => ({
      end,
      connection,
      first,
    })),
    requestersOf: asking.length,
    streams: streams.map(({ stream }) => stream),
    places,
    flows: ways.all.map(({ from, to, own, other }) => ({
      from,
      to,
      firstRequest: own?.places.first ?? -1,
      firstAnswered: other?.places.first ?? -1,
    })),
    flowOf,
    delays: delays.of,
  };
}

const requesterOf = (way: Way, of: PacketClass): Requester | null =>
  hasPlace(of) ? (isAnswer(of) ? way.other : way.own) : null;

/** Place of a packet that moves no requester on: an arrival, or a packet with a wrong ICRC. */
function placeBeside(
  way: Way,
  info: OpcodeInfo | undefined,
  c: IndexedCapture['columns'],
  i: number,
): number {
  if (!info || info.kind === 'cnp' || c.destQp[i] === CM_QP) return 0;
  return (info.request ? way.own : way.other)?.places.answer(c.psn[i]!) ?? 0;
}

/** PSN of a packet as the distance from the first request of its requester; null if that is unknown. */
export function relativePsn(
  { places, flows, flowOf }: Pick<CaptureStreams, 'places' | 'flows' | 'flowOf'>,
  c: Pick<IndexedCapture['columns'], 'opcode'>,
  i: number,
): number | null {
  const place = places[i] ?? 0;
  const flow = flows[flowOf[i] ?? NOWHERE];
  if (place === 0 || !flow) return null;
  const first = (opcodeInfo(c.opcode[i]!)?.request ?? true) ? flow.firstRequest : flow.firstAnswered;
  return first < 0 ? null : place - first;
}

/** Assigns each packet to a stream, and makes each stream as long as it needs to be. */
function assigned(
  c: IndexedCapture['columns'],
  ways: Ways,
  classes: Uint8Array,
  lanes: Lanes,
  shown: ReadonlyMap<Requester, number>,
): { streams: Filling[]; of: Uint16Array } {
  const streams: Filling[] = [];
  const lengths: number[] = [];
  const byKey = new Map<string, number>();
  const of = new Uint16Array(c.length).fill(NOWHERE);
  const none = new Uint32Array(0);
  function streamFor(way: Way, cls: PacketClass): number {
    const asked = requesterOf(way, cls);
    const requester = (asked && shown.get(asked)) ?? -1;
    const [from, to] = [lanes.of(way.from), lanes.of(way.to)];
    const key = `${cls} ${requester} ${from} ${to}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    byKey.set(key, streams.length);
    lengths.push(0);
    const blocks = { t: new Float64Array(0), least: none, most: none };
    const stream = { of: cls, from, to, requester, packets: none, blocks };
    return streams.push({ stream, at: 0, lastT: -Infinity, sorted: true }) - 1;
  }
  for (let i = 0; i < c.length; i++) {
    const cls = classes[i]!;
    if (cls === NONE) continue;
    const way = ways.of(c, i)!;
    let stream = way.streams[cls]!;
    if (stream < 0) stream = way.streams[cls] = streamFor(way, cls as PacketClass);
    of[i] = stream;
    lengths[stream]!++;
  }
  streams.forEach(({ stream }, i) => (stream.packets = new Uint32Array(lengths[i]!)));
  return { streams, of };
}

function filled(streams: readonly Filling[], of: Uint16Array, t: Float64Array): void {
  for (let i = 0; i < of.length; i++) {
    const filling = of[i] === NOWHERE ? undefined : streams[of[i]!];
    if (!filling) continue;
    filling.stream.packets[filling.at++] = i;
    if (t[i]! < filling.lastT) filling.sorted = false;
    filling.lastT = t[i]!;
  }
  for (const { stream, sorted } of streams)
    if (!sorted) stream.packets.sort((a, b) => t[a]! - t[b]! || a - b);
}
