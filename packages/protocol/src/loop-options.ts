/**
 * The only tables of the options of measuring loops. The types of the TypeScript API, its checks, the options of the
 * addon, and the schema of `loop.start` follow from them. An option with a `fallback` may be omitted.
 */
import { z } from 'zod';

export type LoopOption =
  | {
      readonly kind: 'integer' | 'number';
      readonly min: number;
      readonly max: number;
      readonly fallback?: number;
    }
  /** Choice. The addon gets the index in `of`. */
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

/** Options of a table, as a caller passes them. */
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

/** Options of loops over any transport. */
export const LOOP_COMMON = {
  /** Role: initiators send and measure, targets answer. */
  role: { kind: 'choice', of: ['initiator', 'target'] },
  /** Measurement: many outstanding messages, or one at a time. */
  measure: { kind: 'choice', of: ['bandwidth', 'latency'] },
  /** Message size, bytes (TCP: of a write). Atomics: 8. */
  size: { kind: 'integer', min: 0, max: 2 ** 31 },
  /**
   * Messages to send over all QPs, after which the loop ends. Set this or `durationMs`. A target may have neither: it
   * then runs until stopped.
   */
  iterations: { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 },
  /** Measured time without the omitted start, ms. */
  durationMs: { kind: 'number', min: 0, max: 7 * DAY, fallback: 0 },
  /** Time at the start that totals and histogram leave out, ms. */
  omitMs: { kind: 'number', min: 0, max: 3_600_000, fallback: 0 },
  /** Limit of an initiator's posting rate, messages per second; 0: no limit. */
  messagesPerSecond: { kind: 'number', min: 0, max: 1e9, fallback: 0 },
  /** Way to wait: spin, or sleep until woken. */
  wait: { kind: 'choice', of: ['poll', 'event'], fallback: 'poll' },
  /** Time between reports, ms. */
  reportMs: { kind: 'number', min: 10, max: 60_000, fallback: 100 },
  /** Time without progress after which the loop fails with ETIMEDOUT, ms; 0: no limit. */
  idleTimeoutMs: { kind: 'number', min: 0, max: DAY, fallback: 10_000 },
  /** True to report the kernel's CPU time outside of every process (`CpuSample.outsideNs`). */
  kernelTime: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;

/** Options of a loop over verbs. */
export const RDMA_LOOP = {
  /** Measured operation. */
  op: { kind: 'choice', of: ['write', 'write-imm', 'read', 'send', 'fetch-add', 'compare-swap'] },
  /** Start of the part of `mr` that the loop may use. */
  offset: { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 },
  /** Outstanding work requests per QP (for READ and atomics, the device keeps the limit of the QP). */
  txDepth: { ...DEPTH, fallback: 128 },
  /** Posted RECVs per QP at the target of send and write-imm, at most the limit of the QP. */
  rxDepth: { ...DEPTH, fallback: 512 },
  /** Work requests per `ibv_post_send`. */
  postList: { ...DEPTH, fallback: 1 },
  /** Work requests per completion, at most `txDepth`. For bandwidth, like perftest; latency: 1. */
  cqMod: { ...DEPTH, fallback: 100 },
  /** True to post the payload inline. The QP's `maxInlineData` must hold it. */
  inline: { kind: 'flag', fallback: false },
  /**
   * True: messages move through all of the memory. False: they stay in the cache, like perftest. Messages of a page or
   * more then use one place, smaller ones the first page.
   */
  walk: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;

/** Threads of a loop over verbs, and the lock that they hold while they post and poll. */
export const LOOP_THREADS = {
  /** Number of threads. */
  count: { kind: 'integer', min: 1, max: 64 },
  /** Lock, required by threads that share a QP or a CQ. Waiters of `mutex` sleep, waiters of `spin` spin. */
  lock: { kind: 'choice', of: ['none', 'mutex', 'spin'] },
} as const satisfies LoopTable;

/** Completion records of a loop, and its behavior when the reader lags. */
export const LOOP_RECORDS = {
  /** Capacity of the ring in records, rounded up to a power of two (2 MiB for the default). */
  capacity: { kind: 'integer', min: 1, max: 1 << 22, fallback: 65_536 },
  /** Behavior when the reader lags: `drop` counts lost records, `wait` makes the loop wait. */
  whenFull: { kind: 'choice', of: ['drop', 'wait'], fallback: 'drop' },
} as const satisfies LoopTable;

const SOCKET = {
  /** Initiator: address to connect or send to. Target: address to listen on. */
  host: { kind: 'text', fallback: '127.0.0.1' },
  /** Target: 0 picks a free port (`LoopReady.port`). */
  port: { kind: 'integer', min: 0, max: 65_535 },
} as const satisfies LoopTable;

/** Options of a loop over TCP sockets. */
export const TCP_LOOP = {
  ...SOCKET,
  /** Direction of the bytes of a bandwidth loop, seen from the initiator. Both sides need the same value. */
  direction: { kind: 'choice', of: ['out', 'in', 'both'], fallback: 'out' },
  /** Number of streams. */
  connections: { kind: 'integer', min: 1, max: 256, fallback: 1 },
  /** SO_SNDBUF and SO_RCVBUF, bytes; 0 keeps the kernel's own tuning. */
  socketBuffer: { kind: 'integer', min: 0, max: 1 << 30, fallback: 0 },
  /** TCP_NODELAY. True for latency. */
  noDelay: { kind: 'flag', fallback: false },
  /**
   * Messages per query of the bytes that the peer's TCP has acknowledged, for a latency comparable with a completion's;
   * 0: never.
   */
  ackEvery: { kind: 'integer', min: 0, max: 1 << 20, fallback: 1 },
  /** Bytes of memory that a stream moves through, message by message, on this side; 0: one message. */
  memory: { kind: 'integer', min: 0, max: 2 ** 32, fallback: 0 },
} as const satisfies LoopTable;

/** Options of a UDP ping-pong. */
export const UDP_LOOP = {
  ...SOCKET,
  /**
   * True to use connect(2) on the initiator's socket. By default, the socket stays unconnected, as a RoCE port must.
   */
  connected: { kind: 'flag', fallback: false },
} as const satisfies LoopTable;
