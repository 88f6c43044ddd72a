/** A measuring loop and the frames that come from it. */
import {
  encodeHistogram,
  encodeSeries,
  FRAME_FLAGS,
  LatencyHistogram,
  toErrorInfo,
  type EndpointLoopResult,
  type SeriesRecord,
} from '@verbslab/protocol';
import type { Loop, LoopReport, LoopResult } from '@verbslab/verbs';
import { CompletionFrames } from './completion-frames.js';
import type { Session } from './session.js';
import { FrameMemory } from '../base/frame-memory.js';
import { bootId } from '../base/boot-id.js';

const DRAIN_INTERVAL_MS = 8;
/**
 * Frames per turn, so that a fast loop does not keep the endpoint from listening: all that the ring holds, some 4 ms of
 * work. On a busy machine turns come late, and each has to make up for the ones that did not come.
 */
const FRAMES_A_TURN = 16;
/** Memory of sent frames that is kept for the next: a little more than an agent that keeps up leaves in the pipe. */
const SPARE_BYTES = 8 * 1024 * 1024;

export class RunningLoop {
  readonly result: Promise<EndpointLoopResult>;
  #bytes = 0;
  #messages = 0;
  #elapsedNs = 0;
  #running = true;
  #timer: NodeJS.Timeout | undefined;
  readonly #completions: CompletionFrames | undefined;
  readonly #memory = new FrameMemory(SPARE_BYTES);
  readonly #session: Session;
  readonly #source: number;
  readonly #quiet: boolean;
  readonly #loop: Loop;

  /** `quiet`: no series and no histograms. */
  constructor(
    session: Session,
    source: number,
    quiet: boolean,
    start: (onReport: (report: LoopReport) => void) => Loop,
  ) {
    this.#session = session;
    this.#source = source;
    this.#quiet = quiet;
    this.#loop = start((report) => this.#onReport(report));
    if (!quiet) session.queues.begin();
    const { records } = this.#loop;
    if (records) {
      this.#completions = new CompletionFrames(records, source, (t) => session.recorder.at(t), this.#memory);
      this.#timer = setInterval(() => this.#drain(FRAMES_A_TURN), DRAIN_INTERVAL_MS);
    }
    this.result = this.#finish();
  }

  get ready(): Loop['ready'] {
    return this.#loop.ready;
  }

  get status(): { running: boolean; elapsedNs: number; bytes: number; messages: number } {
    return {
      running: this.#running,
      elapsedNs: this.#elapsedNs,
      bytes: this.#bytes,
      messages: this.#messages,
    };
  }

  async stop(drainMs?: number): Promise<void> {
    await this.#loop.stop(drainMs);
    await this.result.catch(() => undefined);
  }

  async #finish(): Promise<EndpointLoopResult> {
    let error: unknown;
    const outcome = await this.#loop.result.catch((reason: unknown) => {
      error = reason;
      return this.#loop.outcome;
    });
    clearInterval(this.#timer);
    if (!this.#quiet) this.#session.queues.end();
    this.#session.policies.sample({ now: true });
    this.#running = false;
    this.#drain(Infinity);
    if (!outcome) throw error;
    this.#sendLast(outcome);
    return this.#toResult(outcome, error);
  }

  #onReport(report: LoopReport): void {
    const { recorder, sendFrame } = this.#session;
    this.#elapsedNs = report.tNs;
    this.#bytes += report.bytes;
    this.#messages += report.messages;
    if (this.#quiet) return;
    this.#session.queues.sample();
    this.#session.policies.sample();
    const t = recorder.at(report.startedAtNs) + report.tNs;
    const flags = report.omitted ? FRAME_FLAGS.omitted : 0;
    sendFrame(encodeSeries({ source: this.#source, t, flags }, [toSeries(report, t)]));
    if (report.latency.count > 0)
      sendFrame(encodeHistogram({ source: this.#source, t, flags }, report.histogram));
  }

  #drain(frames: number): void {
    for (let sent = 0; sent < frames; sent++) {
      // A full pipe is waited for: what the ring cannot hold meanwhile is counted there.
      if (frames !== Infinity && !this.#session.hasRoom()) return;
      const frame = this.#completions?.next();
      if (!frame) return;
      this.#session.sendFrame(frame, () => this.#memory.give(frame));
    }
  }

  #sendLast(outcome: LoopResult): void {
    if (this.#quiet) return;
    const { recorder, sendFrame } = this.#session;
    const meta = { source: this.#source, t: recorder.at(outcome.startedAtNs) + outcome.elapsedNs };
    const { last, total } = FRAME_FLAGS;
    if (outcome.latency.count > 0)
      sendFrame(encodeHistogram({ ...meta, flags: last | total }, outcome.histogram));
    sendFrame(encodeSeries({ ...meta, flags: last }, []));
    const frame = this.#completions?.next(last);
    if (frame) sendFrame(frame);
  }

  #toResult(outcome: LoopResult, error: unknown): EndpointLoopResult {
    const { cpu, startedAtNs } = outcome;
    return {
      reason: outcome.reason,
      drained: outcome.drained,
      startedAt: this.#session.recorder.at(startedAtNs),
      elapsedNs: outcome.elapsedNs,
      bytes: outcome.bytes,
      messages: outcome.messages,
      latencyKind: outcome.latencyKind,
      latency: {
        ...outcome.latency,
        distribution: LatencyHistogram.decode(outcome.histogram).distribution,
      },
      cpu: {
        appNs: cpu.split.appNs,
        nicNs: cpu.engine === null ? null : cpu.split.nicNs,
        kernelNs: cpu.split.kernelNs,
        processNs: cpu.processUserNs + cpu.processSystemNs,
        processAtNs: cpu.processAtNs,
        switches: { voluntary: cpu.voluntarySwitches, involuntary: cpu.involuntarySwitches },
        ...(cpu.outsideNs === null ? {} : { outside: { ns: cpu.outsideNs, machine: bootId() ?? '' } }),
      },
      counters: outcome.counters,
      whole: outcome.whole,
      recordsWritten: outcome.recordsWritten,
      recordsDropped: outcome.recordsDropped,
      ...(error === undefined ? {} : { error: toErrorInfo(error) }),
    };
  }
}

function toSeries(report: LoopReport, t: number): SeriesRecord {
  const { cpu, latency } = report;
  const timed = latency.count > 0;
  const histogram = LatencyHistogram.decode(report.histogram);
  return {
    t,
    intervalNs: report.intervalNs,
    bytes: report.bytes,
    messages: report.messages,
    appNs: cpu.split.appNs,
    nicNs: cpu.engine === null ? NaN : cpu.split.nicNs,
    kernelNs: cpu.split.kernelNs,
    engineUserNs: cpu.engine?.userNs ?? NaN,
    engineKernelNs: cpu.engine?.kernelNs ?? NaN,
    softirqNs: cpu.softirqNs ?? NaN,
    voluntarySwitches: cpu.voluntarySwitches,
    involuntarySwitches: cpu.involuntarySwitches,
    latencyCount: latency.count,
    latencyMeanNs: timed ? latency.meanNs : NaN,
    latencyP50Ns: histogram.percentile('p50') ?? NaN,
    latencyP99Ns: histogram.percentile('p99') ?? NaN,
    latencyP999Ns: histogram.percentile('p999') ?? NaN,
    latencyMaxNs: timed ? latency.maxNs : NaN,
  };
}
