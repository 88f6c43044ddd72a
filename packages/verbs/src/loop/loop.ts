import {
  LOOP_COMMON,
  LOOP_RECORDS,
  LOOP_THREADS,
  RDMA_LOOP,
  TCP_LOOP,
  UDP_LOOP,
  type LoopValues,
} from '@verbslab/protocol';
import * as check from '../base/check.js';
import { CompletionRing } from './completion-ring.js';
import { argumentError } from '../base/errors.js';
import { Mr } from '../objects/mr.js';
import {
  binding,
  type NativeLoop,
  type NativeLoopCallbacks,
  type NativeLoopFigures,
  type NativeLoopOptions,
  type NativeLoopOutcome,
} from '../native/binding.js';
import { Qp } from '../objects/qp.js';
import type {
  CpuSample,
  LoopCommon,
  LoopReady,
  LoopReport,
  LoopResult,
  RdmaLoopOptions,
  TcpLoopOptions,
  UdpLoopOptions,
} from './types.js';

const REASONS = ['iterations', 'duration', 'stopped', 'error'] as const;
const LATENCY_KINDS = ['completion', 'round-trip', 'acknowledged', 'none'] as const;
/** Default time for which `stop()` waits for outstanding work to complete, ms. */
const DRAIN_MS = 50;

/**
 * A measuring loop on its own thread. The loop has started when the function that made it returns.
 *
 * `await using` stops it and waits for its thread at the end of the block.
 */
export class Loop {
  /** Resolves after setup: RECVs are posted, or the port is bound, and the peer may start. Rejects if setup fails. */
  readonly ready: Promise<LoopReady>;
  /**
   * Resolves with the end of the loop. Rejects with the VerbsError that ended it; {@link outcome} then still has the
   * measurements.
   */
  readonly result: Promise<LoopResult>;
  /** Completion records, if requested; `null` otherwise. */
  readonly records: CompletionRing | null;
  #native: NativeLoop;
  #outcome: LoopResult | null = null;
  #reports: LoopReport[] = [];
  #wake: (() => void) | null = null;
  #iterated = false;

  /** @internal */
  constructor(
    options: LoopCommon,
    ring: CompletionRing | null,
    start: (callbacks: NativeLoopCallbacks) => NativeLoop,
  ) {
    this.records = ring;
    let ready!: (value: LoopReady) => void;
    let notReady!: (error: Error) => void;
    let done!: (value: LoopResult) => void;
    let failed!: (error: Error) => void;
    this.ready = new Promise((yes, no) => ([ready, notReady] = [yes, no]));
    this.result = new Promise((yes, no) => ([done, failed] = [yes, no]));
    // A caller that awaits neither promise can still use `outcome`.
    this.ready.catch(() => undefined);
    this.result.catch(() => undefined);
    this.#native = start({
      ready: (port) => {
        ready({ port });
      },
      report: (figures) => {
        const report = toReport(figures);
        options.onReport?.(report);
        if (this.#iterated) {
          this.#reports.push(report);
          this.#wake?.();
        }
      },
      end: (outcome, error) => {
        this.#outcome = toResult(outcome);
        if (error === null) {
          ready({ port: 0 });
          done(this.#outcome);
        } else {
          notReady(error);
          failed(error);
        }
        this.#wake?.();
      },
    });
  }

  /** True while the loop's thread runs. */
  get running(): boolean {
    return this.#native.running;
  }

  /** Measurements, also of a loop that ended with an error; `null` while it runs. */
  get outcome(): LoopResult | null {
    return this.#outcome;
  }

  /**
   * Ends the loop and waits for its end. Outstanding work may still complete. Has no effect on a loop that has ended.
   * Does not throw the loop's error: {@link result} rejects with it.
   *
   * @param drainMs time for outstanding work, ms. After it, QPs go to ERR and flush. Default 50; 0 flushes at once
   */
  async stop(drainMs = DRAIN_MS): Promise<LoopResult | null> {
    this.#native.stop(check.integer('stop', 'drainMs', drainMs, 0, 60_000));
    await this.result.catch(() => undefined);
    return this.#outcome;
  }

  /** Reports from this call on. Ends with the loop. For one consumer. */
  async *reports(): AsyncGenerator<LoopReport, void, undefined> {
    this.#iterated = true;
    for (;;) {
      const batch = this.#reports.splice(0);
      yield* batch;
      if (this.#reports.length > 0) continue;
      if (this.#outcome !== null) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function toSample(figures: NativeLoopFigures): CpuSample {
  const { split } = figures.cpu;
  const gb = figures.bytes / 1e9;
  return {
    ...figures.cpu,
    // ns per GB is 1e-9 s per GB.
    secondsPerGB:
      gb === 0
        ? null
        : { app: split.appNs / 1e9 / gb, nic: split.nicNs / 1e9 / gb, kernel: split.kernelNs / 1e9 / gb },
  };
}

const rates = ({
  bytes,
  messages,
  intervalNs,
}: NativeLoopFigures): Pick<LoopReport, 'goodputGbps' | 'messagesPerSecond'> => ({
  goodputGbps: intervalNs === 0 ? 0 : (8 * bytes) / intervalNs,
  messagesPerSecond: intervalNs === 0 ? 0 : (1e9 * messages) / intervalNs,
});

function toReport(figures: NativeLoopFigures): LoopReport {
  const { recordsWritten: _, ...rest } = figures;
  return { ...rest, ...rates(figures), cpu: toSample(figures) };
}

function toResult(outcome: NativeLoopOutcome): LoopResult {
  const { totals } = outcome;
  return {
    reason: REASONS[outcome.reason] ?? 'error',
    drained: outcome.drained,
    startedAtNs: outcome.startedAtNs,
    elapsedNs: totals.intervalNs,
    bytes: totals.bytes,
    messages: totals.messages,
    ...rates(totals),
    latencyKind: LATENCY_KINDS[outcome.latencyKind] ?? 'none',
    latency: totals.latency,
    histogram: totals.histogram,
    cpu: toSample(totals),
    counters: totals.counters,
    whole: outcome.whole,
    recordsWritten: totals.recordsWritten,
    recordsDropped: totals.recordsDropped,
  };
}

/** Options of loops over any transport. */
function common(
  call: string,
  options: LoopCommon,
): { native: NativeLoopOptions; ring: CompletionRing | null } {
  const { capacity, whenFull } = check.options(call, LOOP_RECORDS, options.records ?? {}, 'records.');
  const native = check.options(call, LOOP_COMMON, options);
  if (options.role === 'initiator' && native.iterations === 0 && native.durationMs === 0)
    throw argumentError(
      call,
      'iterations',
      'the loop would never end',
      'Give iterations or durationMs to an initiator.',
    );
  const ring = options.records === undefined ? null : CompletionRing.create(capacity as number);
  return { native: { ...native, ring: ring?.words ?? null, whenFull }, ring };
}

/** Options of loops over sockets. */
function overSocket<T extends typeof UDP_LOOP | typeof TCP_LOOP>(
  call: string,
  table: T,
  options: LoopCommon & { port: number } & Partial<LoopValues<T>>,
  maxSize: number,
): { native: NativeLoopOptions; ring: CompletionRing | null } {
  const { native, ring } = common(call, options);
  check.integer(call, 'size', options.size, 1, maxSize);
  if (options.role === 'initiator') check.integer(call, 'port', options.port, 1, 65_535);
  return { native: { ...native, ...check.options(call, table, options) }, ring };
}

/**
 * Starts a loop over verbs: bandwidth or latency of one operation, on connected QPs.
 *
 * Bandwidth: the initiator keeps `txDepth` requests per QP outstanding. `send` and `write-imm` need a target loop at
 * the peer, which keeps RECVs posted. Other operations need none (a target loop then only reports its CPU time).
 * Latency: ping-pong for `write` (both ends poll memory), `write-imm` and `send`, which need a target loop at the peer;
 * one request at a time for `read` and atomics.
 *
 * A single thread polls all QPs unless `threads` asks for several: with a QP and CQ each, or with one shared QP under a
 * lock.
 *
 * @throws VerbsError EINVAL if options conflict with each other or with the QPs; EBUSY if another loop has a QP or CQ
 */
export function startLoop(options: RdmaLoopOptions): Loop {
  const call = 'startLoop';
  const { native, ring } = common(call, options);
  const latency = options.measure === 'latency';
  const txDepth = latency ? 1 : options.txDepth;
  const own = check.options(call, RDMA_LOOP, {
    ...options,
    ...(txDepth === undefined ? {} : { txDepth }),
    cqMod:
      options.cqMod ??
      (latency ? 1 : Math.min(RDMA_LOOP.cqMod.fallback, txDepth ?? RDMA_LOOP.txDepth.fallback)),
  });
  const depth = own.txDepth as number;
  const mr = check.instance(call, 'mr', options.mr, Mr);
  const qps = options.qps.map((qp, i) => check.instance(call, `qps[${i}]`, qp, Qp));
  if (qps.length === 0) throw argumentError(call, 'qps', 'the list is empty', 'Give one QP or more.');
  check.integer(call, 'offset', own.offset, 0, mr.length);
  check.integer(call, 'postList', own.postList, 1, depth);
  check.integer(call, 'cqMod', own.cqMod, 1, depth);
  const { size, op, remote, threads } = options;
  const { maxMessageSize } = mr.pd.context.queryPort(qps[0]!.query().port || 1);
  if (size > maxMessageSize)
    throw argumentError(
      call,
      'size',
      `${size} bytes are more than one message can carry`,
      `The port takes messages of up to ${maxMessageSize} bytes.`,
    );
  if ((op === 'fetch-add' || op === 'compare-swap') && size !== 8)
    throw argumentError(call, 'size', `it is ${size}`, 'Atomics work on 8 bytes.');
  if (latency && op === 'write' && size === 0)
    throw argumentError(
      call,
      'size',
      'a WRITE of 0 bytes cannot be seen in memory',
      'Use 1 byte or more, or write-imm.',
    );
  const sendWr = Math.min(...qps.map((qp) => qp.capabilities.maxSendWr));
  if (depth > sendWr && options.role === 'initiator')
    throw argumentError(
      call,
      'txDepth',
      `${depth} is more than the QPs hold`,
      `Use at most ${sendWr}, or create the QPs with a larger maxSendWr.`,
    );
  const { count: threadCount, lock } = threads
    ? check.options(call, LOOP_THREADS, threads, 'threads.')
    : { count: 0, lock: 0 };
  const full = {
    ...native,
    ...own,
    qps: qps.map((qp) => qp.native),
    mr: mr.native,
    remoteAddr: check.u64(call, 'remote.addr', remote?.addr ?? 0),
    remoteLength: check.integer(call, 'remote.length', remote?.length ?? 0, 0, Number.MAX_SAFE_INTEGER),
    rkey: check.integer(call, 'remote.rkey', remote?.rkey ?? 0, 0, 0xffff_ffff),
    threads: threadCount,
    lock,
  };
  return new Loop(options, ring, (callbacks) => new binding.Loop(full, callbacks));
}

/**
 * Starts a loop over TCP: a stream of messages, or a ping-pong. A target listens and serves one initiator.
 *
 * @throws VerbsError EINVAL; later failures (port in use, no listener) reject `ready` or `result`
 */
export function startTcpLoop(options: TcpLoopOptions): Loop {
  const noDelay = options.noDelay ?? options.measure === 'latency';
  const { native, ring } = overSocket('startTcpLoop', TCP_LOOP, { ...options, noDelay }, 1 << 30);
  return new Loop(options, ring, (callbacks) => new binding.TcpLoop(native, callbacks));
}

/** Starts a UDP ping-pong. @throws VerbsError like {@link startTcpLoop} */
export function startUdpLoop(options: UdpLoopOptions): Loop {
  const call = 'startUdpLoop';
  check.oneOf(call, 'measure', options.measure, ['latency'] as const);
  const { native, ring } = overSocket(call, UDP_LOOP, options, 65_507);
  return new Loop(options, ring, (callbacks) => new binding.UdpLoop(native, callbacks));
}
