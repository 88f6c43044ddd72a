/**
 * The options of measuring loops, once: the types of the TypeScript API, its checks and what the addon gets, and the schema
 * of `loop.start` follow from these tables. An option with a `fallback` may be left out.
 */
import { z } from 'zod';

export type LoopOption =
  | {
      readonly kind: 'integer' | 'number';
      readonly min: number;
      readonly max: number;
      readonly fallback?: number;
    }
  /** The addon gets the place in `of`. */
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly fallback?: string }
  | { readonly kind: 'flag'; readonly fallback?: boolean }
  | { readonly kind: 'text'; readonly fallback?: string };
export type LoopTable = Readonly<Record<string, LoopOption>>;

type ValueOf<O> = O extends { of: readonly (infer C)[] }
  ? C
  : O extends { kind: 'flag' }
    ? boolean
    : O extends { kind: 'text' }
      ? string
      : number;

/** The options of a table, as a caller gives them. */
export type LoopValues<T> = {
  -readonly [K in keyof T as T[K] extends { fallback: unknown } ? never : K]: ValueOf<T[K]>;
} & { -readonly [K in keyof T as T[K] extends { fallback: unknown } ? K : never]?: ValueOf<T[K]> };

type Schema<O> = z.ZodType<ValueOf<O>, ValueOf<O>>;
type Schemas<T> = {
  -readonly [K in keyof T]: T[K] extends { fallback: unknown } ? z.ZodOptional<Schema<T[K]>> : Schema<T[K]>;
};

function schemaOf(option: LoopOption): z.ZodType {
  switch (option.kind) {
    case 'choice':
      return z.enum(option.of);
    case 'flag':
      return z.boolean();
    case 'text':
      return z.string();
    case 'integer':
      return z.int().min(option.min).max(option.max);
    case 'number':
      return z.number().min(option.min).max(option.max);
  }
}

/** The members of a schema for a table. */
export const loopSchemas = <T extends LoopTable>(table: T): Schemas<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const schema = schemaOf(option);
      return [name, option.fallback === undefined ? schema : schema.optional()];
    }),
  ) as unknown as Schemas<T>;

const DAY = 86_400_000;
const DEPTH = { kind: 'integer', min: 1, max: 65_536 } as const;

/** Options that loops of all transports share. */
export const LOOP_COMMON = {
  /** Initiators drive and measure; targets answer. */
  role: { kind: 'choice', of: ['initiator', 'target'] },
  /** Many messages under way, or one at a time. */
  measure: { kind: 'choice', of: ['bandwidth', 'latency'] },
  /** Bytes of a message (TCP: of one write). Atomics: 8. */
  size: { kind: 'integer', min: 0, max: 2 ** 31 },
  /**
   * Messages to send over all QPs, after which the loop ends. Give this or `durationMs`; a target may have neither: it then
   * runs until stopped.
   */
  iterations: { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 },
  /** Measured time, the omitted start not included. */
  durationMs: { kind: 'number', min: 0, max: 7 * DAY, fallback: 0 },
  /** Leave the first milliseconds out of totals and histogram. */
  omitMs: { kind: 'number', min: 0, max: 3_600_000, fallback: 0 },
  /** Limit of an initiator's posting rate, messages per second; 0: none. */
  messagesPerSecond: { kind: 'number', min: 0, max: 1e9, fallback: 0 },
  /** Spin, or sleep until woken. */
  wait: { kind: 'choice', of: ['poll', 'event'], fallback: 'poll' },
  /** Time between reports. */
  reportMs: { kind: 'number', min: 10, max: 60_000, fallback: 100 },
  /** Give up with ETIMEDOUT when nothing moved for so long; 0 waits for ever. */
  idleTimeoutMs: { kind: 'number', min: 0, max: DAY, fallback: 10_000 },
  /** Report the kernel's CPU time outside of every process (`CpuSample.outsideNs`). */
  kernelTime: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;

/** A loop over verbs. */
export const RDMA_LOOP = {
  /** Operation to measure. */
  op: { kind: 'choice', of: ['write', 'write-imm', 'read', 'send', 'fetch-add', 'compare-swap'] },
  /** Start of the part of `mr` that the loop may use. */
  offset: { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 },
  /** Work requests under way a QP (READ and atomics: what the QP allows is kept by the device). */
  txDepth: { ...DEPTH, fallback: 128 },
  /** RECVs kept posted a QP at the target of send and write-imm, at most what the QP holds. */
  rxDepth: { ...DEPTH, fallback: 512 },
  /** Work requests handed over with one `ibv_post_send`. */
  postList: { ...DEPTH, fallback: 1 },
  /** Ask for a completion every so many work requests, at most `txDepth`. For bandwidth as perftest does; latency: 1. */
  cqMod: { ...DEPTH, fallback: 100 },
  /** Post the payload inline. The QP's `maxInlineData` must hold it. */
  inline: { kind: 'flag', fallback: false },
  /**
   * Messages take turns through all of the memory. Otherwise in the cache, as perftest does; those of a page and
   * more then use one place, smaller ones the first page.
   */
  walk: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;

/** Threads of a loop over verbs, and what they hold while they post and poll. */
export const LOOP_THREADS = {
  /** Threads. */
  count: { kind: 'integer', min: 1, max: 64 },
  /** Threads that share a QP or a CQ need one: `mutex`, whose waiters sleep, or `spin`, whose waiters spin. */
  lock: { kind: 'choice', of: ['none', 'mutex', 'spin'] },
} as const satisfies LoopTable;

/** Completions of a loop that are kept one by one, and what happens when the reader lags. */
export const LOOP_RECORDS = {
  /** Records that the ring holds; rounded up to a power of two (2 MiB for the default). */
  capacity: { kind: 'integer', min: 1, max: 1 << 22, fallback: 65_536 },
  /** When the reader lags: `drop` counts what is lost, `wait` makes the loop wait. */
  whenFull: { kind: 'choice', of: ['drop', 'wait'], fallback: 'drop' },
} as const satisfies LoopTable;

const SOCKET = {
  /** Initiator: where to connect or send. Target: where to listen. */
  host: { kind: 'text', fallback: '127.0.0.1' },
  /** Target: 0 picks a free port (`LoopReady.port`). */
  port: { kind: 'integer', min: 0, max: 65_535 },
} as const satisfies LoopTable;

/** A loop over TCP sockets. */
export const TCP_LOOP = {
  ...SOCKET,
  /** Which way the bytes of a bandwidth loop go, seen from the initiator. Both sides need the same value. */
  direction: { kind: 'choice', of: ['out', 'in', 'both'], fallback: 'out' },
  /** Streams. */
  connections: { kind: 'integer', min: 1, max: 256, fallback: 1 },
  /** SO_SNDBUF and SO_RCVBUF; 0 leaves the kernel's own tuning. */
  socketBuffer: { kind: 'integer', min: 0, max: 1 << 30, fallback: 0 },
  /** TCP_NODELAY. True for latency. */
  noDelay: { kind: 'flag', fallback: false },
  /** Ask every so many messages what the peer's TCP has acknowledged, for a latency that compares with a completion's; 0: never. */
  ackEvery: { kind: 'integer', min: 0, max: 1 << 20, fallback: 1 },
  /** Bytes of memory that a stream walks through, message by message, on this side; 0: one message. */
  memory: { kind: 'integer', min: 0, max: 2 ** 32, fallback: 0 },
} as const satisfies LoopTable;

/** A UDP ping-pong. */
export const UDP_LOOP = {
  ...SOCKET,
  /** Use connect(2) on the initiator's socket. As a RoCE port must, it does not otherwise. */
  connected: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;
