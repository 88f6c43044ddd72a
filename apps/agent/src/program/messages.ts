/**
 * Messages of a process under `verbslab exec` over its socket: the other end of native/uroce/feed/message.h. Each
 * message is a header (u32 length of the payload, u32 type) and its payload, little-endian.
 */
import {
  EVENT_BODIES,
  QP_STATES,
  standstillOf,
  zCallPlace,
  zCount,
  zFindingRequest,
  zPolicies,
  zQueues,
  zU24,
  zU32,
} from '@verbslab/protocol';
import { z } from 'zod';

const HEADER_BYTES = 8;
/** Longest message accepted, bytes. No message of the device is longer: its largest lane has 4 MiB. */
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

/** Place of a call, before its source line was looked up. */
const zRawPlace = z
  .object({
    // Names in C++ have no limit.
    function: z
      .string()
      .transform((name) => name.slice(0, 256))
      .nullable(),
    object: z.string().max(4096),
    offset: zCallPlace.shape.offset,
    outer: zCallPlace.shape.offset.optional(),
  })
  .nullable();

/** A finding of the misuse report, with its place as the process knows it. */
export const zRawFinding = z.object({
  id: z.string(),
  call: z.string(),
  object: z.object({ name: z.string() }),
  count: zCount,
  detail: z.string(),
  where: zRawPlace,
  cure: z.string(),
  counter: z.string().optional(),
  request: zFindingRequest.optional(),
});

const zReport = z.object({
  /**
   * Signal that ended the process. Null in a draft: the process had not ended yet. Absent: the process ended by itself.
   */
  endedBy: z.string().max(32).nullable().optional(),
  findings: z.array(zRawFinding).max(2000),
});
export type FeedReport = z.infer<typeof zReport>;

const zNote = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    t,
    version: z.literal(1),
    /** Control messages that the process obeys: 1 for faults. Absent: none. */
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
    /** Present if a rule of injected faults failed it. */
    injected: z.literal(true).optional(),
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
  z.object({ type: z.literal('standstill'), t, ...standstillOf(zRawPlace) }),
  z.object({ type: z.literal('queues'), t, ...zQueues.shape }),
  z.object({ type: z.literal('policies'), t, ...zPolicies.shape }),
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
    /** Parts of `bytes`, by operation. */
    written: zCount.optional(),
    read: zCount.optional(),
    sent: zCount.optional(),
    received: zCount.optional(),
    /** Times of the first and the last polled completion. Absent before the first. */
    firstPolled: t.optional(),
    lastPolled: t.optional(),
    /** The part of `bytes` that had been moved when the first completion was polled. */
    bytesAtFirst: zCount.optional(),
    /** Time of the earliest post among the completed sends. Absent without one; receives do not count. */
    firstPosted: t.optional(),
    /** True if every send was posted after the previous one had completed. */
    oneAtATime: z.boolean().optional(),
  }),
  /** Result of a message to the process. */
  z.object({ type: z.literal('control'), t, id: zU32, errno: zCount }),
  z.object({ type: z.literal('unsaid'), t, count: zCount }),
  z.object({ type: z.literal('report'), t, report: zReport }),
  /** The report if the process were killed now; the last draft counts, unless a report comes. */
  z.object({ type: z.literal('draft'), t, report: zReport }),
]);
export type FeedNote = z.infer<typeof zNote>;
export type FeedNoteOf<T extends FeedNote['type']> = Extract<FeedNote, { type: T }>;

/** What stands still in the process, at its own times. */
export type FeedStandstill = Omit<FeedNoteOf<'standstill'>, 'type' | 't'>;

export interface FeedCompletion {
  t: number;
  /** Low 32 bits of the work request's id. */
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

/** Times of a message's stages; 0 for a stage that did not happen. */
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

/** Cuts a stream of bytes into messages. Throws FeedError on anything else; no more can be read after that. */
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

  /** Returns the first `bytes` bytes in one piece, possibly with more behind them. */
  #peek(bytes: number): Buffer {
    if ((this.#rest[0]?.length ?? 0) < bytes) this.#rest = [Buffer.concat(this.#rest)];
    return this.#rest[0]!;
  }
}
