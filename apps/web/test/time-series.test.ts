import { GoodputChart } from '@verbslab/charts';
import { staticMarkup } from '@verbslab/charts/static';
import { FRAME_FLAGS } from '@verbslab/protocol';
import {
  axisTicks,
  cpuRows,
  goodputRows,
  goodputTop,
  holeTime,
  overlapping,
  seriesView,
  stretches,
} from '@verbslab/charts/data';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { figures, tooEarly } from '../src/model/figures';
import { RunModel } from '../src/model/run-model';
import { interval, record, Stream } from './stream';
import { bulkRun } from './bulk-run';

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
      const html = staticMarkup(
        createElement(GoodputChart, {
          ...{ series: view, domain: view.domain, title: 'Gb/s', width: 600, height: 200 },
          lookOf: (name) => ({ name, line: 'black', ink: 'black', dash: undefined }),
          margin: { top: 0, right: 0, bottom: 0, left: 0 },
        }),
      );
      const path = /<path(?=[^>]* data-line="rdma")[^>]* d="([^"]*)"/.exec(html)![1]!;
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
