import { encodeHistogram, FRAME_FLAGS } from '@verbslab/protocol';
import { latencyView, readLatency } from '@verbslab/charts/data';
import { describe, expect, it } from 'vitest';
import { figures } from '../src/model/figures';
import { bulkRun } from './bulk-run';

describe('figures during a run', () => {
  it('leave the start-up out and take CPU of both ends', () => {
    const [rdma, tcp] = figures(bulkRun().model);
    expect(rdma).toMatchObject({ transport: 'rdma', settled: false });
    expect(rdma!.goodputGbps).toBeCloseTo(1, 6);
    // Four intervals of 50 MB in all; app 80 ms, NIC 280 ms, kernel 60 ms.
    expect(rdma!.cpu!.app).toBeCloseTo(1.6, 6);
    expect(rdma!.cpu!.nic).toBeCloseTo(5.6, 6);
    expect(rdma!.cpu!.kernel).toBeCloseTo(1.2, 6);
    expect(tcp!.goodputGbps).toBeCloseTo(2, 6);
    // TCP has no device: its NIC work is none during the run, as it is at the end.
    expect(tcp!.cpu!.nic).toBe(0);
  });

  it('are the result’s own once there is one', () => {
    const { model } = bulkRun();
    const r = {
      goodputGbps: 9,
      messagesPerSecond: 1,
      cpuSecondsPerGB: null,
      latencyUs: null,
      bytes: 1,
      messages: 1,
      seconds: 1,
    };
    model.setRecord({
      ...model.record,
      state: 'done',
      result: {
        lab: 'bulk',
        state: 'done',
        provider: 'user-space',
        device: 'uroce0',
        parameters: {},
        transports: { rdma: r },
        checks: [],
        captureFile: null,
      },
    });
    expect(figures(model)[0]).toMatchObject({ transport: 'rdma', settled: true, goodputGbps: 9 });
  });
});

describe('latency', () => {
  it('adds intervals up, leaves the start-up out, and trusts the total in the end', () => {
    const { model, s } = bulkRun();
    model.frame(s.histogram(1, [1e6], FRAME_FLAGS.omitted));
    model.frame(s.histogram(1, [1000, 2000]));
    expect(readLatency(model, 1)!.count).toBe(2);
    model.frame(s.histogram(1, [1000, 4000]));
    expect(readLatency(model, 1)!.count).toBe(4);
    model.frame(s.histogram(1, [1000, 1000, 1000, 2000, 9000], FRAME_FLAGS.total));
    expect(readLatency(model, 1)!.count).toBe(5);
    model.frame(s.histogram(1, [5]));
    expect(readLatency(model, 1)!.count).toBe(5);
  });

  it('bins on a logarithmic axis without losing anything', () => {
    const { model, s } = bulkRun();
    const values = Array.from({ length: 1000 }, (_, i) => 1000 + i * 50);
    model.frame(s.histogram(1, values));
    const [curve] = latencyView(model).curves;
    expect(curve!.share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    // Three significant digits: within a thousandth.
    expect(curve!.p50! / 25_950).toBeCloseTo(1, 2);
    expect(curve!.p99! / 50_450).toBeCloseTo(1, 2);
  });

  it('is in the figures of a live and of a cancelled run as it is in the chart', () => {
    const { model, s } = bulkRun();
    const values = Array.from({ length: 1500 }, (_, i) => 1000 + i * 50);
    model.frame(s.histogram(1, values));
    model.frame(s.histogram(1, [5e6]));
    for (const state of ['running', 'cancelled'] as const) {
      model.setRecord({ ...model.record, state });
      const [curve] = latencyView(model).curves;
      const { latency } = figures(model).find(({ transport }) => transport === 'rdma')!;
      expect(latency).toMatchObject({ n: 1501, p999: null });
      expect([latency!.p50, latency!.p99, latency!.max].map((us) => us! * 1000)).toEqual([
        curve!.p50,
        curve!.p99,
        curve!.max,
      ]);
      expect(curve!.p999).toBeNull();
    }
  });

  it('counts a histogram that cannot be read', () => {
    const { model } = bulkRun();
    model.frame(encodeHistogram({ source: 1, t: 0, seq: 999, run: 1 }, new Uint8Array(50)));
    expect(latencyView(model).curves).toEqual([]);
    expect(model.badFrames).toBe(1);
  });

  it('is the server’s affair only where the server drives', () => {
    const { model, s } = bulkRun();
    model.frame(s.histogram(2, [1000]));
    expect(latencyView(model).curves).toEqual([]);
  });

  it('takes percentiles as the smallest value that the share did not exceed', () => {
    const { model, s } = bulkRun();
    model.frame(s.histogram(1, [1, 2]));
    model.frame(s.histogram(1, [4, 8]));
    const v = readLatency(model, 1)!;
    expect([0, 0.25, 0.5, 0.75, 0.99, 1].map((p) => v.valueAt(p))).toEqual([1, 1, 2, 4, 8, 8]);
    expect([v.count, v.min, v.max]).toEqual([4, 1, 8]);
  });
});
