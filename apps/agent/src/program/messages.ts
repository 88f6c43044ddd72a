/**
 * What a process under `verbslab exec` sends over its socket: the other end of native/uroce/feed/message.h. Each
 * message is a header (u32 length of the payload, u32 type) and its payload, little-endian.
 */
import { EVENT_BODIES, QP_STATES, zCallPlace, zCount, zFindingRequest, zU24, zU32 } from '@verbslab/protocol';
import { z } from 'zod';

const HEADER_BYTES = 8;
/** No message of the device is longer: its largest lane has 4 MiB. */
const MAX_BYTES = 16 * 1024 * 1024;
const DETAIL_BYTES = 8;
const COMPLETION_BYTES = 40;
const PACKET_BYTES = 24;
const LIFE_BYTES = 72;

export class FeedError extends Error {
  override readonly name = 'FeedError';
}

const zArgs = z.record(z.string(), z.json());
const zState = z.enum(QP_STATES);
/** Nanoseconds after the epoch of `hello`. */
const t = zCount;

const zReport = z.object({
  /** The signal that ended the process. Null in a draft: it had not ended yet. Absent: it ended by itself. */
  endedBy: z.string().max(32).nullable().optional(),
  findings: z
    .array(
      z.object({
        id: z.string(),
        call: z.string(),
        object: z.object({ name: z.string() }),
        count: zCount,
        detail: z.string(),
        where: z
          .object({
            // Names of C++ have no limit.
            function: z
              .string()
              .transform((name) => name.slice(0, 256))
              .nullable(),
            object: z.string().max(4096),
            offset: zCallPlace.shape.offset,
            outer: zCallPlace.shape.offset.optional(),
          })
          .nullable(),
        cure: z.string(),
        counter: z.string().optional(),
        request: zFindingRequest.optional(),
      }),
    )
    .max(2000),
});
export type FeedReport = z.infer<typeof zReport>;

const zNote = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    t,
    version: z.literal(1),
    /** What it obeys: 1 for faults. Absent: nothing. */
    control: zCount.optional(),
    pid: zCount,
    program: z.string().max(64),
    /** CLOCK_MONOTONIC, ns. */
    epoch: z.string().regex(/^\d{1,20}$/),
  }),
  z.object({
    type: z.literal('device'),
    t,
    name: z.string().max(64),
    gids: z.array(z.string().max(64)).max(64),
  }),
  z.object({
    type: z.literal('made'),
    t,
    kind: z.string(),
    number: zU32,
    call: z.string(),
    attrs: zArgs,
  }),
  z.object({ type: z.literal('gone'), t, kind: z.string(), number: zU32, call: z.string() }),
  z.object({ type: z.literal('qp'), t, qpn: zU24, from: zState, to: zState, attrs: zArgs }),
  z.object({
    type: z.literal('failed'),
    t,
    call: z.string(),
    errno: zCount,
    reason: z.string().max(500).optional(),
    cure: z.string().max(500).optional(),
  }),
  z.object({
    type: z.literal('wc'),
    t,
    wrId: z.string().regex(/^\d{1,20}$/),
    qpn: zU24,
    status: zCount,
    vendorErr: zU32,
  }),
  z.object({ type: z.literal('traffic'), t, ...EVENT_BODIES.traffic.omit({ kind: true }).shape }),
  z.object({ type: z.literal('async'), t, event: z.string(), qpn: zU24.optional() }),
  z.object({
    type: z.literal('counters'),
    t,
    when: z.enum(['before', 'sample', 'after']),
    values: z.record(z.string(), z.number()),
  }),
  z.object({
    type: z.literal('tick'),
    t,
    bytes: zCount,
    messages: zCount,
    userNs: zCount,
    systemNs: zCount,
    nicUserNs: zCount,
    nicKernelNs: zCount,
    voluntary: zCount,
    involuntary: zCount,
    /** Of `bytes`, by what was done with them. */
    written: zCount.optional(),
    read: zCount.optional(),
    sent: zCount.optional(),
    received: zCount.optional(),
    /** When the first and the last completion were polled. Absent before the first. */
    firstPolled: t.optional(),
    lastPolled: t.optional(),
    /** Of `bytes`, those that had been moved when the first completion was polled. */
    bytesAtFirst: zCount.optional(),
    /** When the first of the completed sends was posted. Absent before one was, and of receives. */
    firstPosted: t.optional(),
    /** No send was posted before the one before it had completed. */
    oneAtATime: z.boolean().optional(),
  }),
  /** What became of a message to the process. */
  z.object({ type: z.literal('control'), t, id: zU32, errno: zCount }),
  z.object({ type: z.literal('unsaid'), t, count: zCount }),
  z.object({ type: z.literal('report'), t, report: zReport }),
  /** What the report would say if the process were killed now; the last one counts, unless a report comes. */
  z.object({ type: z.literal('draft'), t, report: zReport }),
]);
export type FeedNote = z.infer<typeof zNote>;
export type FeedNoteOf<T extends FeedNote['type']> = Extract<FeedNote, { type: T }>;

export interface FeedCompletion {
  t: number;
  /** Low 32 bits. */
  wrId: number;
  qpn: number;
  meta: number;
  byteLen: number;
  imm: number;
  latency: number;
  batch: number;
}

export interface FeedPacket {
  t: number;
  seq: number;
  origLen: number;
  sent: boolean;
  flags: number;
  bytes: Uint8Array;
}

/** Times are 0 for what did not happen. */
export interface FeedLife {
  wrId: bigint;
  qpn: number;
  opcode: number;
  byteLen: number;
  status: number;
  posted: number;
  firstTx: number;
  lastTx: number;
  acked: number;
  cqe: number;
  polled: number;
}

export type FeedMessage =
  | { kind: 'note'; note: FeedNote }
  | { kind: 'completions'; dropped: number; records: FeedCompletion[] }
  | { kind: 'packets'; dropped: number; records: FeedPacket[] }
  | { kind: 'lives'; dropped: number; records: FeedLife[] };

const time = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function* fixed<T>(payload: Buffer, bytes: number, read: (view: DataView, at: number) => T): Iterable<T> {
  if ((payload.length - DETAIL_BYTES) % bytes !== 0) throw new FeedError('records do not fit their message');
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  for (let at = DETAIL_BYTES; at < payload.length; at += bytes) yield read(view, at);
}

function completion(view: DataView, at: number): FeedCompletion {
  return {
    t: time(view, at),
    wrId: view.getUint32(at + 8, true),
    qpn: view.getUint32(at + 16, true),
    meta: view.getUint32(at + 20, true),
    byteLen: view.getUint32(at + 24, true),
    imm: view.getUint32(at + 28, true),
    latency: view.getUint32(at + 32, true),
    batch: view.getUint32(at + 36, true),
  };
}

function life(view: DataView, at: number): FeedLife {
  return {
    wrId: view.getBigUint64(at, true),
    qpn: view.getUint32(at + 8, true),
    opcode: view.getUint32(at + 12, true),
    byteLen: view.getUint32(at + 16, true),
    status: view.getUint32(at + 20, true),
    posted: time(view, at + 24),
    firstTx: time(view, at + 32),
    lastTx: time(view, at + 40),
    acked: time(view, at + 48),
    cqe: time(view, at + 56),
    polled: time(view, at + 64),
  };
}

function packets(payload: Buffer): FeedPacket[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const list: FeedPacket[] = [];
  for (let at = DETAIL_BYTES; at < payload.length;) {
    if (payload.length - at < PACKET_BYTES) throw new FeedError('a packet’s record is cut off');
    const length = view.getUint32(at + 16, true);
    const from = at + PACKET_BYTES;
    if (length > payload.length - from) throw new FeedError('a packet reaches beyond its message');
    list.push({
      t: time(view, at),
      seq: view.getUint32(at + 8, true),
      origLen: view.getUint32(at + 12, true),
      sent: view.getUint16(at + 20, true) === 1,
      flags: view.getUint16(at + 22, true),
      bytes: payload.subarray(from, from + length),
    });
    at += (PACKET_BYTES + length + 7) & ~7;
  }
  return list;
}

function note(payload: Buffer): FeedNote {
  let raw: unknown;
  try {
    raw = JSON.parse(payload.toString('utf8'));
  } catch (error) {
    throw new FeedError(`not JSON: ${(error as Error).message}`);
  }
  const parsed = zNote.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new FeedError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}`);
  }
  return parsed.data;
}

function decode(type: number, payload: Buffer): FeedMessage {
  if (type === 1) return { kind: 'note', note: note(payload) };
  if (payload.length < DETAIL_BYTES) throw new FeedError('a message is cut off');
  const dropped = Number(payload.readBigUInt64LE(0));
  switch (type) {
    case 2:
      return { kind: 'completions', dropped, records: [...fixed(payload, COMPLETION_BYTES, completion)] };
    case 3:
      return { kind: 'packets', dropped, records: packets(payload) };
    case 4:
      return { kind: 'lives', dropped, records: [...fixed(payload, LIFE_BYTES, life)] };
    default:
      throw new FeedError(`there is no message of type ${type}`);
  }
}

/** Cuts a stream of bytes into messages. Throws FeedError on what is none; nothing can be read after that. */
export class FeedDecoder {
  #rest: Buffer[] = [];
  #length = 0;

  *push(chunk: Buffer): Iterable<FeedMessage> {
    this.#rest.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= HEADER_BYTES) {
      const head = this.#peek(HEADER_BYTES);
      const length = head.readUInt32LE(0);
      if (length > MAX_BYTES) throw new FeedError(`a message of ${length} bytes is too long`);
      if (this.#length < HEADER_BYTES + length) return;
      const whole = this.#peek(HEADER_BYTES + length);
      this.#rest = [whole.subarray(HEADER_BYTES + length)];
      this.#length -= HEADER_BYTES + length;
      yield decode(whole.readUInt32LE(4), whole.subarray(HEADER_BYTES, HEADER_BYTES + length));
    }
  }

  /** The first `bytes` in one piece, which may be longer. */
  #peek(bytes: number): Buffer {
    if ((this.#rest[0]?.length ?? 0) < bytes) this.#rest = [Buffer.concat(this.#rest)];
    return this.#rest[0]!;
  }
}
