/**
 * Binary frames for bulk data. Little-endian: a header of 32 bytes, then columns.
 *
 *   0  u8   magic 0xb5        1  u8  version 1       2  u8  kind       3  u8  flags
 *   4  u32  run               number of the run (RunRecord.number)
 *   8  u32  seq               place in the run's stream; 0: shown live, but not kept (limit of a run reached)
 *  12  u32  source            as announced by a `source` event
 *  16  u32  count             records in the payload
 *  20  u32  dropped           records of this source and kind lost before this frame, since the last one
 *  24  f64  t                 nanoseconds since the run was created; base of the records' `dt`
 *  32  payload
 *
 * Payloads (n = count), columns one after the other without gaps:
 *   series       n x f64 for each of SERIES_FIELDS: a record per interval of a loop
 *   histogram    latencies (ns) as one HdrHistogram in V2 encoding, not compressed (`LatencyHistogram.decode`);
 *                count is 1. A histogram per interval, to be added up; with flag `total` the sum of
 *                all intervals that count
 *   completions  n x u32 for each of COMPLETION_FIELDS: 32 bytes per record
 *   packets      n x u32 for each of PACKET_FIELDS, then the packets' bytes (from the IP header on), each
 *                starting on the next multiple of four
 */
export const FRAME_MAGIC = 0xb5;
export const FRAME_VERSION = 1;
export const FRAME_HEADER_BYTES = 32;

export const FRAME_KINDS = { series: 1, histogram: 2, completions: 3, packets: 4 } as const;
export type FrameKind = keyof typeof FRAME_KINDS;

export const FRAME_FLAGS = {
  /** The last frame of this source and kind. */
  last: 1,
  /** Data of the start-up period, which figures leave out. */
  omitted: 2,
  /** Records are a sample: the loop completed more than it recorded. */
  sampled: 4,
  /** A histogram of the whole loop, not of an interval. */
  total: 8,
} as const;

/**
 * An interval of a measuring loop. `t` is its end, in nanoseconds since the run was created. Counts and times are those
 * of the interval alone. NaN means unknown: engine times on devices that do not report them, soft interrupts if
 * /proc/stat cannot be read, latencies if nothing completed.
 */
export const SERIES_FIELDS = [
  't',
  'intervalNs',
  'bytes',
  'messages',
  /** CPU of the loop and the device's thread: application, NIC work (engine outside system calls), kernel. */
  'appNs',
  'nicNs',
  'kernelNs',
  'engineUserNs',
  'engineKernelNs',
  /** Soft interrupts of the whole machine. */
  'softirqNs',
  'voluntarySwitches',
  'involuntarySwitches',
  'latencyCount',
  'latencyMeanNs',
  'latencyP50Ns',
  'latencyP99Ns',
  'latencyP999Ns',
  'latencyMaxNs',
] as const;
export type SeriesField = (typeof SERIES_FIELDS)[number];
export type SeriesRecord = Record<SeriesField, number>;

export const COMPLETION_FIELDS = [
  /** Nanoseconds after the frame's `t`. */
  'dt',
  /** Nanoseconds from post to completion; 0xffffffff for that value or more. */
  'latency',
  /** Low 32 bits of wr_id. */
  'wrId',
  'qpn',
  /** wc opcode (8 bits), wc status (8 bits), wc flags (16 bits), lowest first. */
  'meta',
  'byteLen',
  'imm',
  /** Number of completions that the same ibv_poll_cq call returned. */
  'batch',
] as const;
export type CompletionField = (typeof COMPLETION_FIELDS)[number];
/** Columns: views of the frame's own memory if it is aligned. */
export type CompletionColumns = Record<CompletionField, Uint32Array>;
export const COMPLETION_BYTES = COMPLETION_FIELDS.length * 4;

export const PACKET_FIELDS = [
  /** Nanoseconds after the frame's `t`. */
  'dt',
  /** Number from the tap. A gap means lost packets. */
  'tapSeq',
  'origLen',
  'capLen',
  /** Direction (bit 0: 1 sent, 0 received), tap flags from bit 8 (PACKET_FLAGS). */
  'meta',
] as const;

export const PACKET_FLAGS = {
  badIcrc: 1,
  faultDrop: 2,
  faultDuplicate: 4,
  faultLate: 8,
  faultBad: 16,
  faultMark: 32,
} as const;

export interface PacketRecord {
  /** Nanoseconds since the run was created. */
  t: number;
  tapSeq: number;
  direction: 'sent' | 'received';
  flags: number;
  origLen: number;
  /** Bytes from the IP header to the ICRC. */
  bytes: Uint8Array;
}

export interface FrameHeader {
  kind: FrameKind;
  flags: number;
  run: number;
  seq: number;
  source: number;
  count: number;
  dropped: number;
  t: number;
}

/** Header fields that encoders need. The agent adds run and seq with `stampFrame`. */
export type FrameMeta = Partial<Pick<FrameHeader, 'flags' | 'run' | 'seq' | 'dropped'>> &
  Pick<FrameHeader, 'source' | 't'>;

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Length of a packet with its padding, bytes. */
export const padded = (length: number): number => (length + 3) & ~3;

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function newFrame(kind: FrameKind, count: number, payloadBytes: number, meta: FrameMeta): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + payloadBytes);
  putHeader(frame, kind, count, meta);
  return frame;
}

function putHeader(frame: Uint8Array, kind: FrameKind, count: number, meta: FrameMeta): void {
  const view = viewOf(frame);
  view.setUint8(0, FRAME_MAGIC);
  view.setUint8(1, FRAME_VERSION);
  view.setUint8(2, FRAME_KINDS[kind]);
  view.setUint8(3, meta.flags ?? 0);
  view.setUint32(4, meta.run ?? 0, true);
  view.setUint32(8, meta.seq ?? 0, true);
  view.setUint32(12, meta.source, true);
  view.setUint32(16, count, true);
  view.setUint32(20, meta.dropped ?? 0, true);
  view.setFloat64(24, meta.t, true);
}

/** Writes run and seq into a frame in place. The agent forwards frames without decoding them. */
export function stampFrame(frame: Uint8Array, run: number, seq: number): void {
  const view = viewOf(frame);
  view.setUint32(4, run, true);
  view.setUint32(8, seq, true);
}

/** Adds to a frame's number of lost records. A sender that skips a frame reports it in the next one. */
export function addDropped(frame: Uint8Array, records: number): void {
  const view = viewOf(frame);
  view.setUint32(20, Math.min(0xffff_ffff, view.getUint32(20, true) + records), true);
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Copies 32-bit or 64-bit columns into the payload; typed arrays are little-endian on every supported machine. */
function putColumns(
  frame: Uint8Array,
  offset: number,
  columns: readonly (Uint32Array | Float64Array)[],
  count: number,
): void {
  if (!isLittleEndian) throw new FrameError('this machine is big-endian, which is not supported');
  let at = offset;
  for (const column of columns) {
    if (column.length !== count) throw new FrameError('columns differ in length');
    frame.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
}

export function encodeSeries(meta: FrameMeta, records: readonly SeriesRecord[]): Uint8Array {
  const columns = SERIES_FIELDS.map((field) => Float64Array.from(records, (record) => record[field]));
  const frame = newFrame('series', records.length, records.length * SERIES_FIELDS.length * 8, meta);
  putColumns(frame, FRAME_HEADER_BYTES, columns, records.length);
  return frame;
}

export function encodeHistogram(meta: FrameMeta, hdrV2: Uint8Array): Uint8Array {
  const frame = newFrame('histogram', 1, hdrV2.length, meta);
  frame.set(hdrV2, FRAME_HEADER_BYTES);
  return frame;
}

export function encodeCompletions(meta: FrameMeta, columns: CompletionColumns): Uint8Array {
  const count = columns.dt.length;
  const frame = newFrame('completions', count, count * COMPLETION_BYTES, meta);
  putColumns(
    frame,
    FRAME_HEADER_BYTES,
    COMPLETION_FIELDS.map((field) => columns[field]),
    count,
  );
  return frame;
}

/**
 * A frame of `count` completions to be filled in. Its columns are views of its own memory. `memory` may provide that
 * memory: at least `completionFrameBytes(count)` bytes of any content, aligned to 4. Every column must be written then.
 */
export function completionFrame(
  meta: FrameMeta,
  count: number,
  memory?: Uint8Array,
): { frame: Uint8Array; columns: CompletionColumns } {
  const bytes = completionFrameBytes(count);
  const frame = memory?.subarray(0, bytes) ?? new Uint8Array(bytes);
  putHeader(frame, 'completions', count, meta);
  return { frame, columns: columnViews(frame, count) };
}

export const completionFrameBytes = (count: number): number => FRAME_HEADER_BYTES + count * COMPLETION_BYTES;

/** Columns of a frame of completions in its own memory, which must be aligned to 4. */
export function columnViews(frame: Uint8Array, count: number): CompletionColumns {
  const columns = {} as CompletionColumns;
  COMPLETION_FIELDS.forEach((field, index) => {
    const offset = frame.byteOffset + FRAME_HEADER_BYTES + index * count * 4;
    columns[field] = new Uint32Array(frame.buffer, offset, count);
  });
  return columns;
}

/** Longest time between a frame's first packet and its others, ns: `dt` has 32 bits. */
const PACKET_SPAN_NS = 4_000_000_000;
/** Bytes per packet beside its content, with room for the padding. */
const PACKET_ROW_BYTES = 32;

/**
 * End index of the `packets` that go into a frame from `from` on: at most `most`, at most `bytes` unless the first
 * alone has more, and none that is older than the first. Times of different CPUs, and of the kernel's clock and this
 * one, may be in another order than the packets.
 */
export function endOfFrame(
  packets: readonly { t: number; bytes: Uint8Array }[],
  from: number,
  { most = Infinity, bytes: limit = Infinity }: { most?: number; bytes?: number },
): number {
  const base = packets[from]?.t ?? 0;
  let bytes = 0;
  for (let to = from; to < packets.length; to++) {
    const packet = packets[to]!;
    bytes += packet.bytes.length + PACKET_ROW_BYTES;
    const apart = packet.t - base;
    if (to > from && (to - from >= most || bytes > limit || apart < 0 || apart > PACKET_SPAN_NS)) return to;
  }
  return packets.length;
}

/** Encodes packets. Their times become `dt`, so they must be at most 4.29 s after `meta.t`. */
export function encodePackets(meta: FrameMeta, packets: readonly PacketRecord[]): Uint8Array {
  const count = packets.length;
  const bytes = packets.reduce((sum, packet) => sum + padded(packet.bytes.length), 0);
  const frame = newFrame('packets', count, count * PACKET_FIELDS.length * 4 + bytes, meta);
  const view = viewOf(frame);
  let at = FRAME_HEADER_BYTES + count * PACKET_FIELDS.length * 4;
  packets.forEach((packet, index) => {
    const dt = Math.round(packet.t - meta.t);
    if (!(dt >= 0 && dt <= 0xffff_ffff)) throw new FrameError('a packet’s time is too far from the frame’s');
    const row = [
      dt,
      packet.tapSeq,
      packet.origLen,
      packet.bytes.length,
      (packet.direction === 'sent' ? 1 : 0) | (packet.flags << 8),
    ];
    row.forEach((value, column) => {
      view.setUint32(FRAME_HEADER_BYTES + (column * count + index) * 4, value, true);
    });
    frame.set(packet.bytes, at);
    at += padded(packet.bytes.length);
  });
  return frame;
}
