import { FRAME_FLAGS } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { figures } from '../src/run/model/figures';
import { NO_COMPLETIONS } from '../src/run/model/completion-snapshot';
import { counterRows } from '../src/run/model/counters-view';
import { readLatency } from '../src/run/model/hdr';
import { latencyView } from '../src/run/model/latency-view';
import { RunModel } from '../src/run/model/run-model';
import { seriesView } from '../src/run/model/series-view';
import { axisTicks, cpuRows, goodputRows, overlapping, stretches } from '../src/run/model/chart-rows';
import { interval, record, Stream } from './stream';

function bulkRun() {
  const model = new RunModel(record());
  const s = new Stream();
  model.event(
    s.event({
      kind: 'source',
      source: 1,
      transport: 'rdma',
      role: 'client',
      what: 'loop',
      label: 'RDMA client',
    }),
  );
  model.event(
    s.event({
      kind: 'source',
      source: 2,
      transport: 'rdma',
      role: 'server',
      what: 'loop',
      label: 'RDMA server',
    }),
  );
  model.event(
    s.event({
      kind: 'source',
      source: 3,
      transport: 'tcp',
      role: 'client',
      what: 'loop',
      label: 'TCP client',
    }),
  );
  model.event(
    s.event({
      kind: 'phase',
      phase: 'begin',
      id: 'rdma-omit',
      transport: 'rdma',
      omit: true,
      text: '',
      t: 0,
    }),
  );
  model.event(
    s.event({
      kind: 'phase',
      phase: 'end',
      id: 'rdma-omit',
      transport: 'rdma',
      omit: true,
      text: '',
      t: 100e6,
    }),
  );
  for (let i = 1; i <= 5; i++) {
    const flags = i === 1 ? FRAME_FLAGS.omitted : 0;
    const t = i * 100e6;
    // 12.5 MB in 100 ms are 1 Gb/s; the first interval is start-up and twice as fast.
    model.frame(
      s.series(
        1,
        [
          interval({
            t,
            bytes: i === 1 ? 25e6 : 12.5e6,
            messages: 100,
            appNs: 20e6,
            nicNs: 30e6,
            kernelNs: 10e6,
          }),
        ],
        flags,
      ),
    );
    model.frame(s.series(2, [interval({ t: t + 7e6, appNs: 0, nicNs: 40e6, kernelNs: 5e6 })], flags));
  }
  for (let i = 6; i <= 9; i++) {
    model.frame(
      s.series(3, [
        interval({ t: i * 100e6, bytes: 25e6, messages: 10, appNs: 1e6, nicNs: NaN, kernelNs: 90e6 }),
      ]),
    );
  }
  return { model, s };
}

describe('a run folded from its stream', () => {
  const packet = {
    t: 5,
    tapSeq: 1,
    direction: 'sent',
    flags: 0,
    origLen: 4,
    bytes: new Uint8Array(4),
  } as const;

  it('ignores what it has already, so that a stream can be resumed', () => {
    const { model, s } = bulkRun();
    const frame = s.packets(1, [packet]);
    model.frame(frame);
    model.frame(frame);
    expect(model.packets.length).toBe(1);
  });

  it('goes on after the completions that it was told of', () => {
    const { model } = bulkRun();
    model.setCompletions({ ...NO_COMPLETIONS, total: 10 }, model.lastSeq + 1);
    const { lastSeq } = model;
    model.setCompletions({ ...NO_COMPLETIONS, total: 20 }, lastSeq - 1);
    expect([model.completions.total, model.lastSeq]).toEqual([20, lastSeq]);
  });

  it('misses of the packets that were not recorded only those that did not come live', () => {
    const { model, s } = bulkRun();
    const frame = s.packets(1, [packet]);
    new DataView(frame.buffer).setUint32(8, 0, true);
    const last = model.lastSeq;
    model.frame(frame);
    model.frame(frame);
    expect([model.packets.length, model.lastSeq]).toEqual([2, last]);
    model.missedPackets(3, false);
    model.event(s.event({ kind: 'dropped', what: 'packets', records: 9, reason: 'limit' }));
    expect(model.packets.dropped).toBe(7);
  });

  it('counts frames that it cannot read instead of failing', () => {
    const { model } = bulkRun();
    model.frame(new Uint8Array(40));
    expect(model.badFrames).toBe(1);
  });

  it('does not walk a finished run through its old states when it is replayed', () => {
    const model = new RunModel(record({ state: 'done' }));
    const s = new Stream();
    model.event(s.event({ kind: 'run.state', state: 'running' }));
    model.event(s.event({ kind: 'progress', fraction: 0.5, text: 'half', secondsLeft: 1 }));
    expect(model.record.state).toBe('done');
    expect(model.record.progress).toBeNull();
  });

  it('shows what happened to counters during the run, moved ones first', () => {
    const { model, s } = bulkRun();
    model.event(
      s.event({
        kind: 'counter',
        endpoint: 'client',
        when: 'before',
        values: { sent_pkts: 10, ack_deferred: 3 },
      }),
    );
    model.event(
      s.event({
        kind: 'counter',
        endpoint: 'client',
        when: 'after',
        values: { sent_pkts: 30, ack_deferred: 3 },
      }),
    );
    expect(counterRows(model)).toEqual([
      { endpoint: 'client', name: 'sent_pkts', before: 10, now: 30, change: 20 },
      { endpoint: 'client', name: 'ack_deferred', before: 3, now: 3, change: 0 },
    ]);
  });
});

describe('time series', () => {
  it('puts both ends and both transports on one axis', () => {
    const view = seriesView(bulkRun().model);
    expect(view.transports).toEqual(['rdma', 'tcp']);
    const second = view.rows.find((r) => Math.abs(r.t - 0.15) < 1e-9)!;
    expect(second.rdma!.gbps).toBeCloseTo(1, 6);
    // Client 20 + 30 + 10 ms and server 45 ms in 100 ms are 1.05 cores. (The server's intervals lie 7 ms later.)
    expect(second.rdma!.cpu.app + second.rdma!.cpu.nic + second.rdma!.cpu.kernel).toBeCloseTo(1.05, 6);
    expect(view.startUps).toEqual([{ transport: 'rdma', from: 0, to: 0.1 }]);
    expect(overlapping(view)).toBe(false);
    expect(stretches(view).map((s) => s.transport)).toEqual(['rdma', 'tcp']);
  });

  it('leaves gaps where a transport did not run', () => {
    const rows = goodputRows(seriesView(bulkRun().model));
    expect(rows.at(-1)).toMatchObject({ tcp: 2 });
    expect(rows.at(-1)!.rdma).toBeUndefined();
  });

  it('has no gap where an interval took longer than a bin, and loses nothing', () => {
    const model = new RunModel(record());
    const s = new Stream();
    model.event(
      s.event({ kind: 'source', source: 1, transport: 'rdma', role: 'client', what: 'loop', label: '' }),
    );
    let t = 0;
    for (const ms of [100, 137, 310, 90, 100, 250]) {
      t += ms * 1e6;
      model.frame(s.series(1, [interval({ t, intervalNs: ms * 1e6, bytes: ms * 125_000 })]));
    }
    const { rows } = seriesView(model);
    expect(rows).toHaveLength(Math.ceil(t / 100e6));
    for (const r of rows) expect(r.rdma!.gbps).toBeCloseTo(1, 6);
  });

  it('adds what is new to what it has, and comes to the same', () => {
    const grown = new RunModel(record());
    const whole = new RunModel(record());
    const source = {
      kind: 'source',
      source: 1,
      transport: 'rdma',
      role: 'client',
      what: 'loop',
      label: '',
    } as const;
    for (const m of [grown, whole]) m.event(new Stream().event(source));
    const s = new Stream();
    s.event(source);
    for (let i = 1; i <= 700; i++) {
      const frame = s.series(1, [interval({ t: i * 100e6, bytes: i * 1e5, appNs: i * 1e4 })]);
      grown.frame(frame);
      whole.frame(frame);
      seriesView(grown);
    }
    expect(seriesView(grown)).toEqual(seriesView(whole));
  });

  it('does not invent NIC work where no device tells it', () => {
    const view = seriesView(bulkRun().model);
    expect(Number.isNaN(view.rows.at(-1)!.tcp!.cpu.nic)).toBe(true);
    expect(cpuRows(view, 'tcp').at(-1)!.nic).toBe(0);
  });

  it('thins a long run to what a chart can show, keeping its mean', () => {
    const model = new RunModel(record());
    const s = new Stream();
    model.event(
      s.event({ kind: 'source', source: 1, transport: 'rdma', role: 'client', what: 'loop', label: '' }),
    );
    model.frame(
      s.series(
        1,
        Array.from({ length: 36_000 }, (_, i) => interval({ t: (i + 1) * 100e6, bytes: 12.5e6 })),
      ),
    );
    const view = seriesView(model);
    expect(view.rows.length).toBeLessThanOrEqual(240);
    for (const r of view.rows) expect(r.rdma!.gbps).toBeCloseTo(1, 6);
  });

  it('ends axes on round numbers', () => {
    expect(axisTicks([0])).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(axisTicks([1.01])).toEqual([0, 0.5, 1, 1.5]);
    expect(axisTicks([13.2])).toEqual([0, 5, 10, 15]);
    expect(axisTicks([25])).toEqual([0, 10, 20, 30]);
    expect(axisTicks([7.9], 2)).toEqual([0, 5, 10]);
  });
});

describe('figures while a run goes on', () => {
  it('leave the start-up out and take CPU of both ends', () => {
    const [rdma, tcp] = figures(bulkRun().model);
    expect(rdma).toMatchObject({ transport: 'rdma', settled: false });
    expect(rdma!.goodputGbps).toBeCloseTo(1, 6);
    // Four intervals of 50 MB in all; app 80 ms, NIC 280 ms, kernel 60 ms.
    expect(rdma!.cpu!.app).toBeCloseTo(1.6, 6);
    expect(rdma!.cpu!.nic).toBeCloseTo(5.6, 6);
    expect(rdma!.cpu!.kernel).toBeCloseTo(1.2, 6);
    expect(tcp!.goodputGbps).toBeCloseTo(2, 6);
    expect(tcp!.cpu!.nic).toBeNull();
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
    expect(readLatency(model, 1)!.total).toBe(2);
    model.frame(s.histogram(1, [1000, 4000]));
    expect(readLatency(model, 1)!.total).toBe(4);
    model.frame(s.histogram(1, [1000, 1000, 1000, 2000, 9000], FRAME_FLAGS.total));
    expect(readLatency(model, 1)!.total).toBe(5);
    model.frame(s.histogram(1, [5]));
    expect(readLatency(model, 1)!.total).toBe(5);
  });

  it('bins on a logarithmic axis without losing anything', () => {
    const { model, s } = bulkRun();
    const values = Array.from({ length: 1000 }, (_, i) => 1000 + i * 50);
    model.frame(s.histogram(1, values));
    const [curve] = latencyView(model, readLatency).curves;
    expect(curve!.share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    // Three significant digits: within a thousandth.
    expect(curve!.p50 / 25_950).toBeCloseTo(1, 2);
    expect(curve!.p99 / 50_450).toBeCloseTo(1, 2);
  });

  it('is the server’s affair only where the server drives', () => {
    const { model, s } = bulkRun();
    model.frame(s.histogram(2, [1000]));
    expect(latencyView(model, readLatency).curves).toEqual([]);
  });

  it('takes percentiles as the smallest value that the share did not exceed', () => {
    const { model, s } = bulkRun();
    model.frame(s.histogram(1, [1, 2]));
    model.frame(s.histogram(1, [4, 8]));
    const v = readLatency(model, 1)!;
    expect([0, 0.25, 0.5, 0.75, 0.99, 1].map((p) => v.percentile(p))).toEqual([1, 1, 2, 4, 8, 8]);
    expect([v.total, v.min, v.max]).toEqual([4, 1, 8]);
  });
});
