/** Reads binary frames from any sender. Invalid ones throw a FrameError. */
import {
  columnViews,
  COMPLETION_BYTES,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC,
  FRAME_VERSION,
  FrameError,
  PACKET_FIELDS,
  padded,
  SERIES_FIELDS,
  viewOf,
  type CompletionColumns,
  type FrameHeader,
  type FrameKind,
  type PacketRecord,
  type SeriesRecord,
} from './frames.js';

const KIND_NAMES: readonly (FrameKind | undefined)[] = [
  undefined,
  'series',
  'histogram',
  'completions',
  'packets',
];

const CAP_LEN = PACKET_FIELDS.indexOf('capLen');

/** Latest time on a run's clock, ns. A date can still be made of it. */
export const MAX_RUN_NS = 2 ** 62;
const isTime = (t: number): boolean => t >= 0 && t <= MAX_RUN_NS;

/** Reads and checks the header: kind, version, and a payload of the size for `count`. */
export function decodeHeader(frame: Uint8Array): FrameHeader {
  if (frame.byteLength < FRAME_HEADER_BYTES) throw new FrameError('shorter than a header');
  const view = viewOf(frame);
  if (view.getUint8(0) !== FRAME_MAGIC) throw new FrameError('wrong magic number');
  if (view.getUint8(1) !== FRAME_VERSION) throw new FrameError(`version ${view.getUint8(1)} is not known`);
  const kind = KIND_NAMES[view.getUint8(2)];
  if (kind === undefined) throw new FrameError(`kind ${view.getUint8(2)} is not known`);
  const header: FrameHeader = {
    kind,
    flags: view.getUint8(3),
    run: view.getUint32(4, true),
    seq: view.getUint32(8, true),
    source: view.getUint32(12, true),
    count: view.getUint32(16, true),
    dropped: view.getUint32(20, true),
    t: view.getFloat64(24, true),
  };
  const payload = frame.byteLength - FRAME_HEADER_BYTES;
  const wanted = {
    series: header.count * SERIES_FIELDS.length * 8,
    histogram: payload,
    completions: header.count * COMPLETION_BYTES,
    packets: header.count * PACKET_FIELDS.length * 4,
  }[kind];
  if (kind === 'packets' ? payload < wanted : payload !== wanted)
    throw new FrameError(`${header.count} records do not fit ${payload} bytes`);
  if (kind === 'histogram' && header.count !== 1)
    throw new FrameError('a histogram frame holds one histogram');
  if (!isTime(header.t)) throw new FrameError('the time is not a time');
  return header;
}

/**
 * Reads and checks a whole frame. A frame that passes can be decoded. Every frame from outside must pass before it is
 * stored, because a frame that cannot be decoded would stop each later reader of the run.
 */
export function checkFrame(frame: Uint8Array): FrameHeader {
  const header = decodeHeader(frame);
  if (header.kind === 'packets') placePackets(frame, header.count);
  if (header.kind === 'series') checkTimes(frame, header.count);
  return header;
}

/** Offsets of the bytes of each packet. Throws FrameError unless they fill the frame. */
function placePackets(frame: Uint8Array, count: number): number[] {
  const view = viewOf(frame);
  const places: number[] = [];
  let at = FRAME_HEADER_BYTES + count * PACKET_FIELDS.length * 4;
  for (let index = 0; index < count; index++) {
    const length = view.getUint32(FRAME_HEADER_BYTES + (CAP_LEN * count + index) * 4, true);
    if (length > frame.byteLength - at) throw new FrameError('a packet reaches beyond the frame');
    places.push(at);
    at += padded(length);
  }
  if (at !== frame.byteLength) throw new FrameError('bytes left over after the last packet');
  return places;
}

function checkTimes(frame: Uint8Array, count: number): void {
  const view = viewOf(frame);
  for (let index = 0; index < count; index++)
    if (!isTime(view.getFloat64(FRAME_HEADER_BYTES + index * 8, true)))
      throw new FrameError('the time of an interval is not a time');
}

/**
 * True for a frame of a kind that only another version knows. It is well-formed as far as this version can check, and
 * is ignored.
 */
export const isForeignFrame = (frame: Uint8Array): boolean =>
  frame.byteLength >= FRAME_HEADER_BYTES &&
  frame[0] === FRAME_MAGIC &&
  frame[1] === FRAME_VERSION &&
  frame[2]! >= KIND_NAMES.length;

function expectKind(frame: Uint8Array, kind: FrameKind): FrameHeader {
  const header = decodeHeader(frame);
  if (header.kind !== kind) throw new FrameError(`a ${header.kind} frame, not ${kind}`);
  return header;
}

export function decodeSeries(frame: Uint8Array): SeriesRecord[] {
  const { count } = expectKind(frame, 'series');
  const view = viewOf(frame);
  return Array.from({ length: count }, (_, index) => {
    const record = {} as SeriesRecord;
    SERIES_FIELDS.forEach((field, column) => {
      record[field] = view.getFloat64(FRAME_HEADER_BYTES + (column * count + index) * 8, true);
    });
    return record;
  });
}

/** Returns the HdrHistogram in V2 encoding, for `LatencyHistogram.decode`. */
export function decodeHistogram(frame: Uint8Array): Uint8Array {
  expectKind(frame, 'histogram');
  return frame.subarray(FRAME_HEADER_BYTES);
}

export function decodeCompletions(frame: Uint8Array): CompletionColumns {
  const { count } = expectKind(frame, 'completions');
  // A frame from a larger buffer may be unaligned. One copy then serves all columns (`slice()` of a Buffer does not
  // copy).
  const aligned = (frame.byteOffset & 3) === 0 ? frame : new Uint8Array(frame);
  return columnViews(aligned, count);
}

export function decodePackets(frame: Uint8Array): PacketRecord[] {
  const { count, t } = expectKind(frame, 'packets');
  const view = viewOf(frame);
  const column = (field: number, index: number): number =>
    view.getUint32(FRAME_HEADER_BYTES + (field * count + index) * 4, true);
  return placePackets(frame, count).map((at, index) => {
    const meta = column(4, index);
    return {
      t: t + column(0, index),
      tapSeq: column(1, index),
      origLen: column(2, index),
      direction: (meta & 1) === 1 ? 'sent' : 'received',
      flags: (meta >>> 8) & 0xff,
      bytes: frame.subarray(at, at + column(CAP_LEN, index)),
    };
  });
}
