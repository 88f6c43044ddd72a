import { createRequire } from 'node:module';
import { LatencyHistogram, LOOP_COMMON, UDP_LOOP } from '@verbslab/protocol';
import type * as Hdr from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import * as check from '../src/base/check.js';
import { binding } from '../src/native/binding.js';
import {
  compressHistogram,
  RECORD_WORDS,
  startLoop,
  startTcpLoop,
  startUdpLoop,
  type LoopReport,
  type RdmaLoopOptions,
} from '../src/index.js';
import { pair, thrown } from './helpers.js';

const hdr = createRequire(import.meta.url)('hdr-histogram-js') as typeof Hdr;

type Two = ReturnType<typeof pair>;
const initiator = (two: Two, more: Partial<RdmaLoopOptions> = {}): RdmaLoopOptions => ({
  role: 'initiator',
  measure: 'bandwidth',
  op: 'write',
  size: 4096,
  qps: [two.a.qp],
  mr: two.a.mr,
  remote: two.b.mr.remote(),
  txDepth: 64,
  ...more,
});
const target = (two: Two, more: Partial<RdmaLoopOptions> = {}): RdmaLoopOptions => ({
  ...initiator(two, more),
  role: 'target',
  qps: [two.b.qp],
  mr: two.b.mr,
  remote: two.a.mr.remote(),
});

describe('loops over verbs', () => {
  it('end, and free what they used, though a listener of theirs throws', async () => {
    using two = pair();
    const handlers = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const thrownBy: string[] = [];
    process.on('uncaughtException', (error) => thrownBy.push(error.message));
    try {
      const options = initiator(two, {
        durationMs: 60,
        reportMs: 10,
        onReport: () => {
          throw new Error('of the listener');
        },
      });
      const loop = startLoop(options);
      // Nothing is delivered meanwhile, so the end comes together with reports.
      for (const end = Date.now() + 400; Date.now() < end;);
      await loop.result;
      expect(loop.running).toBe(false);
      expect(thrownBy).toContain('of the listener');
      await startLoop(initiator(two, { iterations: 10 })).result;
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const handler of handlers) process.on('uncaughtException', handler);
    }
  });

  it('measure bandwidth and report as they go', async () => {
    using two = pair();
    const seen: LoopReport[] = [];
    const loop = startLoop(
      initiator(two, { durationMs: 250, omitMs: 100, reportMs: 50, onReport: (report) => seen.push(report) }),
    );
    expect(thrown(() => two.a.cq.poll())).toMatchObject({
      code: 'EBUSY',
      hint: expect.stringContaining('loop') as string,
    });
    expect(
      thrown(() => {
        two.a.qp.postSend({ opcode: 'SEND' });
      }),
    ).toMatchObject({ code: 'EBUSY' });
    expect(
      thrown(() => {
        two.a.mr.close();
      }),
    ).toMatchObject({ code: 'EBUSY' });
    expect(thrown(() => startLoop(initiator(two, { iterations: 1 })))).toMatchObject({ code: 'EBUSY' });
    const result = await loop.result;
    expect(loop.running).toBe(false);
    expect(loop.outcome).toEqual(result);
    expect(result).toMatchObject({ reason: 'duration', drained: true, latencyKind: 'completion' });
    expect(result.elapsedNs).toBeGreaterThanOrEqual(250e6);
    expect(result.goodputGbps).toBeCloseTo((8 * result.bytes) / result.elapsedNs, 6);
    expect(result.bytes).toBe(4096 * result.messages);
    const measured = seen.filter(({ omitted }) => !omitted);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i));
    expect(seen[0]!.omitted).toBe(true);
    expect(new Set(seen.map(({ startedAtNs }) => startedAtNs))).toEqual(new Set([result.startedAtNs]));
    expect(measured.reduce((sum, { messages }) => sum + messages, 0)).toBeLessThanOrEqual(result.messages);
    const { split, secondsPerGB, engine } = result.cpu;
    expect(engine).not.toBeNull();
    expect(split.nicNs).toBeGreaterThan(0);
    expect(secondsPerGB!.nic).toBeCloseTo(split.nicNs / result.bytes, 6);
    expect(result.counters['sent_pkts']).toBeGreaterThan(0);
    // The CQ is free again.
    expect(two.a.cq.poll()).toEqual([]);
  });

  it('give histograms that hdr-histogram-js reads, and that add up', async () => {
    using two = pair();
    const loop = startLoop(initiator(two, { iterations: 5000, cqMod: 1, size: 64, reportMs: 20 }));
    const sum = hdr.build({
      bitBucketSize: 64,
      numberOfSignificantValueDigits: 3,
      highestTrackableValue: 600e9,
    });
    for await (const report of loop.reports()) {
      const text = Buffer.from(compressHistogram(report.histogram)).toString('base64');
      sum.add(hdr.decodeFromCompressedBase64(text, 64));
    }
    const { latency, histogram } = await loop.result;
    const total = hdr.decodeFromCompressedBase64(
      Buffer.from(compressHistogram(histogram)).toString('base64'),
      64,
    );
    expect(latency.count).toBe(5000);
    for (const decoded of [total, sum]) {
      expect(decoded.totalCount).toBe(5000);
      const own = LatencyHistogram.decode(histogram);
      for (const percent of [0.1, 50, 90, 99, 99.9, 100])
        expect(decoded.getValueAtPercentile(percent)).toBe(own.valueAt(percent / 100));
      expect([own.count, own.min, own.max]).toEqual([latency.count, latency.minNs, latency.maxNs]);
      expect(decoded.maxValue).toBe(latency.maxNs);
    }
    expect(total.mean).toBeCloseTo(latency.meanNs, -1);
  });

  it('hand over every completion through the ring', async () => {
    using two = pair();
    const count = 20_000;
    const loop = startLoop(
      initiator(two, { iterations: count, cqMod: 1, size: 64, records: { capacity: 256, whenFull: 'wait' } }),
    );
    let next = 0;
    let last = 0n;
    while (next < count) {
      const records = loop.records!.read();
      for (let at = 0; at < records.length; at += RECORD_WORDS) {
        if (records[at + 2] !== next++) expect(records[at + 2]).toBe(next - 1);
        const time = (BigInt(records[at + 1]!) << 32n) | BigInt(records[at]!);
        if (time < last) expect(time).toBeGreaterThanOrEqual(last);
        last = time;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await loop.result).toMatchObject({ recordsWritten: count, recordsDropped: 0 });
    expect(loop.records!.available).toBe(0);
  });

  it('count what a lagging reader loses', async () => {
    using two = pair();
    const loop = startLoop(
      initiator(two, { iterations: 1000, cqMod: 1, size: 64, records: { capacity: 100 } }),
    );
    const result = await loop.result;
    expect(result).toMatchObject({ messages: 1000, recordsWritten: 128, recordsDropped: 872 });
    expect(loop.records!.dropped).toBe(872);
    expect(loop.records!.read().length).toBe(128 * RECORD_WORDS);
  });

  it.each(['send', 'write-imm', 'write'] as const)('ping-pong with %s', async (op) => {
    using two = pair();
    const answering = startLoop(target(two, { op, measure: 'latency', size: 2 }));
    await answering.ready;
    const asking = startLoop(initiator(two, { op, measure: 'latency', size: 2, iterations: 100 }));
    expect(await asking.result).toMatchObject({
      messages: 100,
      latencyKind: 'round-trip',
      latency: { count: 100 },
    });
    expect(await answering.stop()).toMatchObject({ latencyKind: 'none', reason: 'stopped' });
  });

  it('stop on request, and when disposed', async () => {
    using two = pair();
    {
      await using loop = startLoop(initiator(two, { durationMs: 60_000 }));
      await loop.ready;
      const before = performance.now();
      expect(await loop.stop()).toMatchObject({ reason: 'stopped' });
      // The stop is long before the loop's own end.
      expect(performance.now() - before).toBeLessThan(30_000);
      expect(await loop.stop()).toMatchObject({ reason: 'stopped' });
    }
    {
      await using loop = startLoop(initiator(two, { durationMs: 60_000 }));
      expect(loop.running).toBe(true);
    }
  });

  it('end with the error that the peer caused', async () => {
    using two = pair();
    const loop = startLoop(initiator(two, { durationMs: 60_000, remote: { ...two.b.mr.remote(), rkey: 1 } }));
    await expect(loop.result).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR', wcStatus: 10 });
    expect(loop.outcome).toMatchObject({ reason: 'error' });
    expect(await loop.stop()).toBe(loop.outcome);
  });

  it.each([
    ['role', { role: 'spectator' }],
    ['op', { op: 'put' }],
    ['size', { size: 2 ** 40 }],
    ['size', { size: '64' }],
    ['txDepth', { txDepth: 1_000_000 }],
    ['iterations', { iterations: 0, durationMs: 0 }],
    ['qps', { qps: [] }],
    ['qps[0]', { qps: [{}] }],
    ['mr', { mr: 5 }],
    ['cqMod', { cqMod: 1000 }],
    ['wait', { wait: 'hope' }],
  ])('refuse a wrong %s', (param, wrong) => {
    using two = pair();
    const error = thrown(() => startLoop({ ...initiator(two, { durationMs: 10 }), ...wrong } as never));
    expect(error.code).toBe('EINVAL');
    expect(error.message).toContain(param);
    expect(error.hint).toMatch(/\.$/);
  });

  it('refuse what does not fit the memory or the device', () => {
    using two = pair({ memory: 4096 });
    expect(thrown(() => startLoop(initiator(two, { size: 8192, durationMs: 10 }))).message).toContain(
      '8192 bytes',
    );
    expect(
      thrown(() => startLoop(initiator(two, { op: 'fetch-add', size: 16, durationMs: 10 }))).message,
    ).toContain('size');
    expect(
      thrown(() => startLoop(initiator(two, { inline: true, size: 4096, durationMs: 10 }))).message,
    ).toContain('inline');
    expect(thrown(() => startLoop(initiator(two, { size: 2 ** 30 + 1, durationMs: 10 }))).hint).toContain(
      '1073741824',
    );
  });
});

describe('loops over sockets', () => {
  it('are refused by the addon with an option that it does not read', () => {
    const options = {
      ...check.options('test', LOOP_COMMON, { role: 'target', measure: 'latency', size: 8 }),
      ...check.options('test', UDP_LOOP, { port: 0 }),
      ring: null,
      whenFull: 0,
    };
    const callbacks = { ready: () => undefined, report: () => undefined, end: () => undefined };
    expect(() => new binding.UdpLoop({ ...options, unknown: 1 }, callbacks)).toThrow(
      '17 options were given, and 16 read',
    );
  });

  it.each(['poll', 'event'] as const)('TCP stream (%s)', async (wait) => {
    await using receiver = startTcpLoop({
      role: 'target',
      measure: 'bandwidth',
      size: 10_000,
      port: 0,
      wait,
    });
    const { port } = await receiver.ready;
    const sender = startTcpLoop({
      role: 'initiator',
      measure: 'bandwidth',
      size: 10_000,
      port,
      wait,
      iterations: 2000,
    });
    expect(await sender.result).toMatchObject({
      bytes: 20_000_000,
      latencyKind: 'acknowledged',
      reason: 'iterations',
    });
    expect(await receiver.result).toMatchObject({ bytes: 20_000_000 });
  });

  it.each(['poll', 'event'] as const)('TCP and UDP ping-pong (%s)', async (wait) => {
    for (const start of [startTcpLoop, startUdpLoop]) {
      await using answering = start({ role: 'target', measure: 'latency', size: 64, port: 0, wait });
      const { port } = await answering.ready;
      const asking = start({ role: 'initiator', measure: 'latency', size: 64, port, wait, iterations: 100 });
      expect(await asking.result).toMatchObject({ messages: 100, latencyKind: 'round-trip' });
    }
  });

  it('report that nothing listens, and that the port is in use', async () => {
    const lonely = startTcpLoop({ role: 'initiator', measure: 'latency', size: 1, port: 1, iterations: 1 });
    await expect(lonely.ready).rejects.toMatchObject({ code: 'ECONNREFUSED', call: 'connect' });
    await expect(lonely.result).rejects.toMatchObject({ hint: expect.stringContaining('target') as string });
    await using first = startTcpLoop({ role: 'target', measure: 'latency', size: 1, port: 0 });
    const { port } = await first.ready;
    const second = startTcpLoop({ role: 'target', measure: 'latency', size: 1, port });
    await expect(second.ready).rejects.toMatchObject({
      code: 'EADDRINUSE',
      hint: expect.stringContaining('port') as string,
    });
  });

  it('refuse wrong options', () => {
    const options = { role: 'initiator', measure: 'bandwidth', size: 1000, port: 80, iterations: 1 } as const;
    expect(thrown(() => startTcpLoop({ ...options, size: 0 })).message).toContain('size');
    expect(thrown(() => startTcpLoop({ ...options, port: 0 })).message).toContain('port');
    expect(thrown(() => startTcpLoop({ ...options, host: '' })).message).toContain('host');
    expect(thrown(() => startUdpLoop({ ...options, measure: 'latency', size: 70_000 })).message).toContain(
      'size',
    );
    expect(thrown(() => startUdpLoop(options as never)).message).toContain('measure');
  });
});
