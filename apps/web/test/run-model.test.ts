import { encodeHistogram, FRAME_FLAGS } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { figures, tooEarly } from '../src/run/model/figures';
import { NO_COMPLETIONS } from '../src/run/model/completion-snapshot';
import { countersView } from '../src/run/model/counters-view';
import { readLatency } from '../src/run/model/latency-sums';
import { latencyView } from '../src/run/model/latency-view';
import { RunModel } from '../src/run/model/run-model';
import { seriesView } from '../src/run/model/series-view';
import { linePath } from '../src/run/model/chart-paths';
import {
  axisTicks,
  cpuRows,
  goodputRows,
  goodputTop,
  holeTime,
  overlapping,
  stretches,
} from '../src/run/model/chart-rows';
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

  it('continues after the completions that were reported to it', () => {
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
    model.event(
      s.event({ kind: 'counter', endpoint: 'another', when: 'after', values: { sent_pkts: 7, own: 0 } }),
    );
    expect(countersView(model)).toEqual({
      endpoints: ['another', 'client'],
      rows: [
        {
          name: 'sent_pkts',
          cells: [
            { now: 7, change: null },
            { now: 30, change: 20 },
          ],
          moved: true,
        },
        { name: 'ack_deferred', cells: [null, { now: 3, change: 0 }], moved: false },
        { name: 'own', cells: [{ now: 0, change: null }, null], moved: false },
      ],
    });
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

  /** Two rounds of RDMA and TCP in turn, 0.4 s each with 0.1 s of warm-up, and the beginning of a third. */
  function rounds() {
    const model = new RunModel(record());
    const s = new Stream();
    let t = 0;
    let source = 0;
    const step = (transport: 'rdma' | 'tcp', round: number, gbps: number, intervals = 4) => {
      const id = ++source;
      const what = { transport, role: 'client', what: 'loop', label: '', round } as const;
      model.event(s.event({ kind: 'source', source: id, ...what }));
      for (let i = 0; i < intervals; i++) {
        t += 100e6;
        model.frame(
          s.series(id, [interval({ t, bytes: (gbps * 100e6) / 8 })], i === 0 ? FRAME_FLAGS.omitted : 0),
        );
        model.frame(s.histogram(id, [1000 * round], i === 0 ? FRAME_FLAGS.omitted : 0));
      }
      if (intervals === 4) model.frame(s.histogram(id, [1000 * round, 1000 * round], FRAME_FLAGS.total));
    };
    step('rdma', 1, 10);
    step('tcp', 1, 4);
    step('rdma', 2, 20);
    step('tcp', 2, 8);
    step('rdma', 3, 1, 1);
    return { model };
  }

  it('copes with alternating rounds', () => {
    const { model } = rounds();
    const view = seriesView(model);
    expect(overlapping(view)).toBe(false);
    expect(stretches(view).map(({ transport }) => transport)).toEqual(['rdma', 'rdma', 'rdma', 'tcp', 'tcp']);
    const [rdma, tcp] = figures(model);
    expect(rdma).toMatchObject({ rounds: 2, goodputGbps: 15, spread: { goodputGbps: { min: 10, max: 20 } } });
    expect(tcp).toMatchObject({ rounds: 2, goodputGbps: 6, spread: { goodputGbps: { min: 4, max: 8 } } });
    expect(rdma!.latency).toMatchObject({ n: 4, min: 1, max: 2 });
  });

  it('compares nothing before each transport has a finished round, and then finished rounds only', () => {
    const model = new RunModel(record());
    const s = new Stream();
    const start = (source: number, transport: 'rdma' | 'tcp', round: number) =>
      model.event(
        s.event({ kind: 'source', source, transport, role: 'client', what: 'loop', label: '', round }),
      );
    const moved = (source: number, gbps: number, flags = 0) => {
      model.frame(s.series(source, [interval({ bytes: (gbps * 100e6) / 8 })], flags));
      model.frame(s.histogram(source, [1000]));
    };
    start(1, 'rdma', 1);
    moved(1, 10);
    expect(tooEarly(figures(model), 2)).toBe(true);
    expect(figures(model)[0]).toMatchObject({ finished: 0, goodputGbps: 10 });
    moved(1, 10, FRAME_FLAGS.last);
    start(2, 'tcp', 1);
    moved(2, 40);
    expect(tooEarly(figures(model), 2)).toBe(true);
    moved(2, 40, FRAME_FLAGS.last);
    expect(tooEarly(figures(model), 2)).toBe(false);
    start(3, 'rdma', 2);
    moved(3, 90);
    // The second round is under way: the figures, latencies too, are those of the first.
    expect(figures(model)[0]).toMatchObject({ finished: 1, rounds: 1, goodputGbps: 10, latency: { n: 2 } });
    expect(tooEarly(figures(model), 2)).toBe(false);
    expect(tooEarly(figures(model).slice(0, 1), 1)).toBe(false);
  });

  it('shades the warm-up of each round as its samples have it, however late an event says so', () => {
    const { model } = rounds();
    const { startUps } = seriesView(model);
    expect(startUps.map(({ transport }) => transport)).toEqual(['rdma', 'tcp', 'rdma', 'tcp', 'rdma']);
    expect(startUps.map(({ from }) => Number(from.toFixed(9)))).toEqual([0, 0.4, 0.8, 1.2, 1.6]);
    for (const { from, to } of startUps) expect(to - from).toBeCloseTo(0.1, 9);
  });

  it('leaves gaps where a transport did not run', () => {
    const rows = goodputRows(seriesView(bulkRun().model));
    expect(rows.at(-1)).toMatchObject({ tcp: 2 });
    expect(rows.at(-1)!.rdma).toBeUndefined();
  });

  describe('of a machine that was frozen', () => {
    const model = new RunModel(record());
    const s = new Stream();
    for (const [id, role] of [
      [1, 'client'],
      [2, 'server'],
    ] as const)
      model.event(s.event({ kind: 'source', source: id, transport: 'rdma', role, what: 'loop', label: '' }));
    let t = 0;
    for (const ms of [100, 100, 28_100, 100, 100]) {
      t += ms * 1e6;
      const sample = { t, intervalNs: ms * 1e6, appNs: 10e6 };
      model.frame(s.series(1, [interval({ ...sample, bytes: ms > 1000 ? 34e6 : 12.5e6 })]));
      model.frame(s.series(2, [interval({ ...sample, t: t + 3e6 })]));
    }
    const view = seriesView(model);

    it('has one hole of its own length, with its mean, instead of samples that were not taken', () => {
      expect(view.holes).toHaveLength(1);
      const [hole] = view.holes;
      expect(hole!.from).toBeCloseTo(0.2, 2);
      expect(hole!.to).toBeCloseTo(28.3, 2);
      expect(hole!.sample.gbps).toBeCloseTo((34e6 * 8) / 28.1e9, 6);
      expect(view.rows.filter((row) => row.t > 0.5 && row.t < 28)).toEqual([
        { t: (hole!.from + hole!.to) / 2, hole },
      ]);
      expect(holeTime(hole!)).toBe('0.20 to 28.30, one sample');
    });

    it('breaks the line there, and stays within its axis', () => {
      const path = linePath(
        goodputRows(view),
        'rdma',
        (x) => x,
        (y) => y,
      );
      expect(path.match(/M/g)).toHaveLength(2);
      expect(goodputTop(view)).toBeCloseTo(1, 6);
      expect(view.domain[1]).toBeGreaterThan(28.4);
    });
  });

  it('has no gap where an interval took longer than a bin, and loses nothing', () => {
    const model = new RunModel(record());
    const s = new Stream();
    model.event(
      s.event({ kind: 'source', source: 1, transport: 'rdma', role: 'client', what: 'loop', label: '' }),
    );
    let t = 0;
    for (const ms of [100, 137, 290, 90, 100, 250]) {
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

  it('shows no more CPU than the hosts have, and none of it twice', () => {
    const model = new RunModel(record());
    const s = new Stream();
    const endpoint = { kind: 'endpoint', device: 'uroce0', providerClass: 'user-space', cpus: 2 } as const;
    for (const role of ['client', 'server']) model.event(s.event({ ...endpoint, role, endpoint: role }));
    // RDMA and then TCP, at both ends; the kernel charges the threads every third sample.
    const loops = (['rdma', 'tcp'] as const).flatMap((transport) =>
      (['client', 'server'] as const).map((role) => ({ transport, role })),
    );
    const reported = { rdma: 0, tcp: 0 };
    for (const [index, { transport, role }] of loops.entries()) {
      const source = index + 1;
      model.event(
        s.event({ kind: 'source', source, transport, role, what: 'loop', label: '', endpoint: role }),
      );
      const begin = transport === 'rdma' ? 0 : 1.03e9;
      const samples = Array.from({ length: 10 }, (_, i) => {
        const appNs = i % 3 === 2 ? 290e6 : 0;
        reported[transport] += appNs;
        return interval({ t: begin + (i + 1) * 100e6, bytes: 1e6, appNs, nicNs: NaN, kernelNs: 0 });
      });
      model.frame(s.series(source, samples));
    }
    const view = seriesView(model);
    for (const transport of ['rdma', 'tcp'] as const) {
      const samples = view.rows.flatMap((row) => row[transport] ?? []);
      for (const { cpu } of samples) {
        expect(cpu.app).toBeGreaterThan(0);
        expect(cpu.app).toBeLessThanOrEqual(2);
      }
      const sum = samples.reduce((all, { cpu, measuredNs }) => all + cpu.app * measuredNs, 0);
      expect(sum).toBeCloseTo(reported[transport], 0);
    }
    for (const row of cpuRows(view, null)) expect(row.app).toBeLessThanOrEqual(2);
  });

  it('does not invent NIC work if no device reports it', () => {
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
