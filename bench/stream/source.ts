// A loop of packages/verbs whose records come from a thread that writes them at a set rate instead of from a device.
import { Worker } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { CompletionRing, Loop, type LoopReport } from '@verbslab/verbs';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { LATENCIES, type WriterData, type Written } from './records.js';

type Start = ConstructorParameters<typeof Loop>[2];
type Callbacks = Parameters<Start>[0];
type Figures = Parameters<Callbacks['report']>[0];

const REPORT_MS = 100;
/** Records that the ring holds: as many as that of an endpoint (apps/agent/src/endpoint/loop-operations.ts). */
const RING_RECORDS = 1_048_576;
const BYTES = 64;

export interface SourceOptions {
  recordsPerSecond: number;
  durationMs: number;
  onReport: (report: LoopReport) => void;
}

/** Latencies of `count` records: the table's, evenly. */
function latencies(count: number): Pick<Figures, 'latency' | 'histogram'> {
  const histogram = build({
    highestTrackableValue: 2 ** 32,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
  const each = Math.floor(count / LATENCIES.length);
  const rest = count % LATENCIES.length;
  LATENCIES.forEach((value, index) => {
    const times = each + (index < rest ? 1 : 0);
    if (times > 0) histogram.recordValueWithCount(value, times);
  });
  return {
    latency: {
      count,
      minNs: count === 0 ? 0 : histogram.minNonZeroValue,
      meanNs: histogram.mean,
      maxNs: histogram.maxValue,
    },
    // Frames carry the form that is not compressed: what follows cookie and length, inflated.
    histogram: inflateSync(Buffer.from(encodeIntoCompressedBase64(histogram), 'base64').subarray(8)),
  };
}

/** CPU time of this process since the last call. */
class Cpu {
  #last = process.cpuUsage();

  sample(): Figures['cpu'] {
    const used = process.cpuUsage(this.#last);
    this.#last = process.cpuUsage();
    const userNs = used.user * 1000;
    const systemNs = used.system * 1000;
    return {
      threadUserNs: userNs,
      threadSystemNs: systemNs,
      processUserNs: userNs,
      processSystemNs: systemNs,
      processAtNs: 1000 * (this.#last.user + this.#last.system),
      engine: null,
      softirqNs: null,
      outsideNs: null,
      voluntarySwitches: 0,
      involuntarySwitches: 0,
      split: { appNs: userNs, nicNs: 0, kernelNs: systemNs },
    };
  }
}

export function startSource({ recordsPerSecond, durationMs, onReport }: SourceOptions): Loop {
  const ring = CompletionRing.create(RING_RECORDS);
  const start: Start = (callbacks) => {
    const stop = new SharedArrayBuffer(4);
    const data: WriterData = {
      buffer: ring.buffer,
      stop,
      recordsPerSecond,
      durationMs,
      latencies: LATENCIES,
    };
    const worker = new Worker(new URL('./writer.mjs', import.meta.url), { workerData: data });
    const cpu = new Cpu();
    const total = new Cpu();
    let running = true;
    let seq = 0;
    let lastNs = Number(process.hrtime.bigint());
    const beganNs = lastNs;
    let last = 0;
    // Records that were written or found no room since the start; both words stay below 2^32 in any run of this bench.
    const completed = (): number => Atomics.load(ring.words, 0) + ring.dropped;
    const figures = (messages: number, tNs: number, intervalNs: number, used: Cpu): Figures => ({
      seq,
      startedAtNs: BigInt(beganNs),
      tNs,
      intervalNs,
      omitted: false,
      bytes: messages * BYTES,
      messages,
      outstanding: 0,
      ...latencies(messages),
      histogramTotal: new Uint8Array(),
      cpu: used.sample(),
      counters: {},
      recordsWritten: completed() - ring.dropped,
      recordsDropped: ring.dropped,
    });
    const timer = setInterval(() => {
      const nowNs = Number(process.hrtime.bigint());
      const count = completed();
      callbacks.report(figures(count - last, nowNs - beganNs, nowNs - lastNs, cpu));
      seq++;
      last = count;
      lastNs = nowNs;
    }, REPORT_MS);
    worker.once('message', ({ startedAtNs, elapsedNs, written, dropped }: Written) => {
      clearInterval(timer);
      running = false;
      const totals = figures(written + dropped, elapsedNs, elapsedNs, total);
      const all = written + dropped;
      const whole = {
        signaled: all,
        completions: all,
        mostOutstanding: null,
        sentBytes: null,
        receivedBytes: null,
        threads: null,
      };
      callbacks.end({ reason: 1, drained: true, startedAtNs, latencyKind: 0, totals, whole }, null);
    });
    worker.once('online', () => callbacks.ready(0));
    return {
      stop: () => void Atomics.store(new Int32Array(stop), 0, 1),
      get running() {
        return running;
      },
    };
  };
  return new Loop({ role: 'initiator', measure: 'bandwidth', size: BYTES, onReport }, ring, start);
}
