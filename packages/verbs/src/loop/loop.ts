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
  RdmaLoopOp,
  RdmaLoopOptions,
  TcpLoopOptions,
  UdpLoopOptions,
} from './types.js';

const OPS: readonly RdmaLoopOp[] = ['write', 'write-imm', 'read', 'send', 'fetch-add', 'compare-swap'];
const DIRECTIONS = ['out', 'in', 'both'] as const;
const LOCKS = ['none', 'mutex', 'spin'] as const;
const MAX_THREADS = 64;
const REASONS = ['iterations', 'duration', 'stopped', 'error'] as const;
const LATENCY_KINDS = ['completion', 'round-trip', 'acknowledged', 'none'] as const;
const MAX_MESSAGE = 2 ** 31;
/** How long `stop()` waits for work in flight to complete, by default. */
const DRAIN_MS = 50;

/**
 * A measuring loop on a thread of its own. It has started when the function that made it returns.
 *
 * `await using` stops it and waits for its thread at the end of the block.
 */
export class Loop {
  /** Set up: RECVs are posted, or the port is bound; the peer may start. Rejects when that failed. */
  readonly ready: Promise<LoopReady>;
  /** Ends with the loop. Rejects with the VerbsError that ended it; {@link outcome} then still has what was measured. */
  readonly result: Promise<LoopResult>;
  /** Completion records, when asked for; `null` otherwise. */
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
    // A caller that awaits neither can still use `outcome`.
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

  /** Whether its thread lives. */
  get running(): boolean {
    return this.#native.running;
  }

  /** What it measured, also when it ended with an error; `null` while it runs. */
  get outcome(): LoopResult | null {
    return this.#outcome;
  }

  /**
   * Ends the loop and waits for it; what is under way may still complete. Does nothing to a loop that has ended.
   * An error of the loop is not thrown here but by {@link result}.
   *
   * @param drainMs time for that, after which QPs go to ERR and flush. Default 50; 0 flushes at once
   */
  async stop(drainMs = DRAIN_MS): Promise<LoopResult | null> {
    this.#native.stop(check.integer('stop', 'drainMs', drainMs, 0, 60_000));
    await this.result.catch(() => undefined);
    return this.#outcome;
  }

  /** Reports as they come, from the call on; ends with the loop. For one consumer. */
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

const MS = 1e6;

function common(
  call: string,
  options: LoopCommon,
): { native: NativeLoopOptions; ring: CompletionRing | null } {
  const role = check.oneOf(call, 'role', options.role, ['initiator', 'target'] as const);
  const measure = check.oneOf(call, 'measure', options.measure, ['bandwidth', 'latency'] as const);
  const { records } = options;
  const ring =
    records === undefined
      ? null
      : CompletionRing.create(
          check.integer(call, 'records.capacity', records.capacity ?? 65_536, 1, 1 << 22),
        );
  const whenFull = check.oneOf(call, 'records.whenFull', records?.whenFull ?? 'drop', [
    'drop',
    'wait',
  ] as const);
  const native: NativeLoopOptions = {
    target: role === 'target',
    latency: measure === 'latency',
    size: check.integer(call, 'size', options.size, 0, MAX_MESSAGE),
    iterations: check.integer(call, 'iterations', options.iterations ?? 0, 0, Number.MAX_SAFE_INTEGER),
    durationNs: MS * check.real(call, 'durationMs', options.durationMs ?? 0, 0, 7 * 86_400_000),
    omitNs: MS * check.real(call, 'omitMs', options.omitMs ?? 0, 0, 3_600_000),
    messagesPerSecond: check.real(call, 'messagesPerSecond', options.messagesPerSecond ?? 0, 0, 1e9),
    event: check.oneOf(call, 'wait', options.wait ?? 'poll', ['poll', 'event'] as const) === 'event',
    reportNs: MS * check.real(call, 'reportMs', options.reportMs ?? 100, 10, 60_000),
    idleTimeoutNs: MS * check.real(call, 'idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0, 86_400_000),
    ring: ring?.words ?? null,
    ringWait: whenFull === 'wait',
    kernelTime: check.flag(call, 'kernelTime', options.kernelTime ?? false),
  };
  if (!native.target && native.iterations === 0 && native.durationNs === 0)
    throw argumentError(
      call,
      'iterations',
      'the loop would never end',
      'Give iterations or durationMs to an initiator.',
    );
  return { native, ring };
}

/**
 * Starts a loop over verbs: bandwidth or latency of one operation, on connected QPs.
 *
 * Bandwidth: the initiator keeps `txDepth` requests a QP under way; `send` and `write-imm` need a target loop at the
 * peer, which keeps RECVs posted; the other operations need none (a target loop then only reports its CPU time).
 * Latency: ping-pong for `write` (both ends poll memory), `write-imm` and `send`, which need a target loop at the peer;
 * one request at a time for `read` and atomics.
 *
 * One thread drives all QPs, unless `threads` asks for several: with a QP and CQ each, or with one QP for all under a lock.
 *
 * @throws VerbsError EINVAL when options do not fit each other or the QPs; EBUSY when another loop has a QP or CQ
 */
export function startLoop(options: RdmaLoopOptions): Loop {
  const call = 'startLoop';
  const { native, ring } = common(call, options);
  const op = check.oneOf(call, 'op', options.op, OPS);
  const mr = check.instance(call, 'mr', options.mr, Mr);
  const qps = options.qps.map((qp, i) => check.instance(call, `qps[${i}]`, qp, Qp));
  if (qps.length === 0) throw argumentError(call, 'qps', 'the list is empty', 'Give one QP or more.');
  const { maxMessageSize } = mr.pd.context.queryPort(qps[0]!.query().port || 1);
  if (native.size > maxMessageSize)
    throw argumentError(
      call,
      'size',
      `${native.size} bytes are more than one message can carry`,
      `The port takes messages of up to ${maxMessageSize} bytes.`,
    );
  const atomic = op === 'fetch-add' || op === 'compare-swap';
  if (atomic && native.size !== 8)
    throw argumentError(call, 'size', `it is ${native.size}`, 'Atomics work on 8 bytes.');
  if (native.latency && op === 'write' && native.size === 0)
    throw argumentError(
      call,
      'size',
      'a WRITE of 0 bytes cannot be seen in memory',
      'Use 1 byte or more, or write-imm.',
    );
  const txDepth = native.latency ? 1 : check.integer(call, 'txDepth', options.txDepth ?? 128, 1, 1 << 20);
  const cqMod = options.cqMod ?? (native.latency ? 1 : Math.min(100, txDepth));
  const sendWr = Math.min(...qps.map((qp) => qp.capabilities.maxSendWr));
  if (txDepth > sendWr && !native.target)
    throw argumentError(
      call,
      'txDepth',
      `${txDepth} is more than the QPs hold`,
      `Use at most ${sendWr}, or create the QPs with a larger maxSendWr.`,
    );
  const remote = options.remote;
  const full = {
    ...native,
    qps: qps.map((qp) => qp.native),
    op: OPS.indexOf(op),
    mr: mr.native,
    offset: check.integer(call, 'offset', options.offset ?? 0, 0, mr.length),
    remoteAddr: check.u64(call, 'remote.addr', remote?.addr ?? 0),
    remoteLength: check.integer(call, 'remote.length', remote?.length ?? 0, 0, Number.MAX_SAFE_INTEGER),
    rkey: check.integer(call, 'remote.rkey', remote?.rkey ?? 0, 0, 0xffff_ffff),
    txDepth,
    rxDepth: check.integer(call, 'rxDepth', options.rxDepth ?? 512, 1, 1 << 20),
    postList: check.integer(call, 'postList', options.postList ?? 1, 1, txDepth),
    cqMod: check.integer(call, 'cqMod', cqMod, 1, txDepth),
    inline: check.flag(call, 'inline', options.inline ?? false),
    walk: check.flag(call, 'walk', options.walk ?? false),
    threads: options.threads
      ? check.integer(call, 'threads.count', options.threads.count, 1, MAX_THREADS)
      : 0,
    lock: LOCKS.indexOf(check.oneOf(call, 'threads.lock', options.threads?.lock ?? 'none', LOCKS)),
  };
  return new Loop(options, ring, (callbacks) => new binding.Loop(full, callbacks));
}

/**
 * Starts a loop over TCP: a stream of messages, or a ping-pong of them. A target listens and serves one initiator.
 *
 * @throws VerbsError EINVAL; later failures (port in use, no listener) reject `ready` or `result`
 */
export function startTcpLoop(options: TcpLoopOptions): Loop {
  const call = 'startTcpLoop';
  const { native, ring } = common(call, options);
  check.integer(call, 'size', native.size, 1, 1 << 30);
  const direction = check.oneOf(call, 'direction', options.direction ?? 'out', DIRECTIONS);
  const full = {
    ...native,
    host: check.text(call, 'host', options.host ?? '127.0.0.1'),
    port: check.integer(call, 'port', options.port, native.target ? 0 : 1, 65_535),
    direction: DIRECTIONS.indexOf(direction),
    connections: check.integer(call, 'connections', options.connections ?? 1, 1, 256),
    socketBuffer: check.integer(call, 'socketBuffer', options.socketBuffer ?? 0, 0, 1 << 30),
    noDelay: check.flag(call, 'noDelay', options.noDelay ?? native.latency),
    ackEvery: check.integer(call, 'ackEvery', options.ackEvery ?? 1, 0, 1 << 20),
    memory: check.integer(call, 'memory', options.memory ?? 0, 0, 2 ** 40),
  };
  return new Loop(options, ring, (callbacks) => new binding.TcpLoop(full, callbacks));
}

/** Starts a UDP ping-pong. @throws VerbsError as {@link startTcpLoop} */
export function startUdpLoop(options: UdpLoopOptions): Loop {
  const call = 'startUdpLoop';
  const { native, ring } = common(call, options);
  check.oneOf(call, 'measure', options.measure, ['latency'] as const);
  check.integer(call, 'size', native.size, 1, 65_507);
  const full = {
    ...native,
    host: check.text(call, 'host', options.host ?? '127.0.0.1'),
    port: check.integer(call, 'port', options.port, native.target ? 0 : 1, 65_535),
    connected: check.flag(call, 'connected', options.connected ?? false),
  };
  return new Loop(options, ring, (callbacks) => new binding.UdpLoop(full, callbacks));
}
