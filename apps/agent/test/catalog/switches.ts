/** Labs of queues in switches, marks and PAUSE frames. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

type Rows = Record<string, number>[];

/** Within a part of a closed form. */
const near = (found: number | null | undefined, formula: number, part: number): void => {
  expect(found! / formula).toBeGreaterThan(1 - part);
  expect(found! / formula).toBeLessThan(1 + part);
};

const fabricIncast: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const settings = rows('settings') as Rows;
    expect(settings).toHaveLength(4);
    const [drop, dropcc, pfc, pfccc] = settings;
    // 32 answers of 8 MiB in packets of 4178 bytes, at 100 Gb/s.
    expect(figures.ideal).toBeCloseTo((32 * 2048 * 4178 * 8) / 100e6, 6);
    near(figures['slow-pfc'], 1, 0.01);
    expect(figures['slow-pfc-cc']).toBeGreaterThan(1.05);
    expect(figures['slow-drop']).toBeGreaterThan(1.5);
    expect(outcomes.soonest).toBe('pfc');
    // The first peak hardly changes, what stands does.
    expect(figures['peak-left']).toBeGreaterThan(85);
    expect(figures['standing-left']).toBeLessThan(10);
    expect(figures.pauses).toBeGreaterThan(20 * figures['pauses-cc']!);
    expect([pfc!.drops, pfccc!.drops]).toEqual([0, 0]);
    for (const lossy of [drop!, dropcc!]) {
      expect(lossy.pauses).toBe(0);
      expect(lossy.again).toBeGreaterThanOrEqual(lossy.drops!);
      // A lossy queue has at most half of the pool, where alpha is 1.
      near(lossy.peak, 2000, 0.01);
    }
    expect(drop!.cnps).toBe(0);
    expect(dropcc!.cnps).toBeGreaterThan(0);
    const hosts = rows('hosts') as Rows;
    expect(hosts.map((one) => one.hosts)).toEqual([2, 4, 8, 16, 32]);
    for (const { hosts: n, peak, formula } of hosts) near(peak, formula!, n === 2 ? 0.15 : 0.05);
    expect(curves.queue!.length).toBeGreaterThan(400);
    expect(curves['by-hosts']).toHaveLength(15);
    expect(of('simulation')).toHaveLength(4 * 3 + 2 * 5 + 1);
  },
};

const dcqcnFairness: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    expect((rows('presets') as Rows).map(({ preset }) => preset)).toEqual([
      'Paper',
      'NVIDIA’s NICs',
      'HPCC’s ns-3',
    ]);
    // Both halve their rate at the first CNP.
    expect(figures['fair-second']).toBeLessThan(2);
    expect(figures['fair-paper']).toBeGreaterThan(10);
    expect(figures['fair-paper']).toBeLessThan(60);
    expect(figures['newcomer-paper']).toBeGreaterThan(22);
    expect(figures['newcomer-paper']).toBeLessThan(34);
    expect(figures['newcomer-nic']).toBeGreaterThan(60);
    expect(outcomes.newcomer).toBe('more');
    expect(figures['jain-paper']).toBeGreaterThan(figures['jain-nic']!);
    // 20 Mb/s every 300 µs, in Gb/s of payload per 10 ms.
    expect(figures['rise-formula']).toBeCloseTo(((20 / 300) * 10 * 4096) / 4178, 9);
    near(figures.rise, figures['rise-formula']!, 0.03);
    expect(figures.regain).toBeCloseTo(750, 9);
    expect(figures['use-paper']).toBeGreaterThan(95);
    for (const preset of ['paper', 'nic', 'ns3'])
      expect(new Set(curves[`rates-${preset}`]!.map(({ series }) => series)).size).toBe(3);
    for (const { y } of curves.jain!) expect(y).toBeLessThanOrEqual(1);
    expect(of('simulation')).toHaveLength(6);
  },
};

const ecnOrPfc: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const alphas = rows('alphas') as Rows;
    expect(alphas.map(({ first }) => first)).toEqual([
      'PFC',
      'PFC',
      'PFC',
      'ECN, and then PFC',
      'ECN alone',
      'ECN alone',
      'ECN alone',
    ]);
    for (const { queue, formula, marks, pauses } of alphas.slice(0, 4)) {
      near(queue, formula!, 0.03);
      expect(marks).toBeLessThan(5);
      expect(pauses).toBeGreaterThan(0);
    }
    // 8 × 1/16 × 4 MB / (1 + 8/16)
    expect(figures.formula).toBeCloseTo(4000 / 3, 6);
    expect(figures.left).toBeLessThan(25);
    expect([figures.free, figures['free-none']]).toEqual([1 / 8, 1 / 4]);
    expect(outcomes.first).toBe('both');
    expect(curves.frames).toHaveLength(14);
    expect(of('simulation')).toHaveLength(7 * 2 * 3);
  },
};

const pfcVictim: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const line = (100 * 4096) / 4178;
    expect(figures.ideal).toBeCloseTo(line / 2, 9);
    expect(figures.fair).toBeCloseTo(line / 5, 9);
    near(figures.alone, line / 2, 0.02);
    near(figures.each, line / 8, 0.02);
    near(figures['each-cc'], line / 5, 0.15);
    near(figures.victim, line / 8, 0.05);
    expect(figures['victim-cc']).toBeGreaterThan(2 * figures.victim!);
    expect(figures.pauses).toBeGreaterThan(10 * figures['pauses-cc']!);
    expect(outcomes.alone).toBe('half');
    for (const { k, each, formula } of rows('port') as Rows) {
      expect(formula).toBeCloseTo(line / 2 / k!, 9);
      near(each, formula!, 0.02);
    }
    for (const { victim, formula } of rows('uplink') as Rows) near(victim, formula!, 0.1);
    expect(curves['victim-by-k']).toHaveLength(15);
    expect(of('simulation')).toHaveLength(5 * 3 * 2);
  },
};

const pfcHeadroom: Facts = {
  holds: ({ curves, figures, outcomes, rows }) => {
    // 12.5 KB/µs × (2 × 0.5 µs + 2 µs), two packets and a PAUSE.
    expect(figures.formula).toBeCloseTo(37.5 + 2 * 4.194 + 0.084, 9);
    expect(figures['per-meter']).toBe(125);
    const needed = rows('lengths') as Rows;
    expect(needed.map(({ length }) => length)).toEqual([5, 40, 100, 300, 1000]);
    for (const { needed: simulated, formula } of needed) {
      expect(simulated).toBeLessThanOrEqual(formula!);
      expect(simulated).toBeGreaterThan(0.85 * formula!);
    }
    // The driver: (301 + 2.16 m) × Gb/s + 2.72 MTU
    expect(needed[2]!.driver).toBeCloseTo((517 * 100 + 2.72 * 4178) / 1000, 9);
    for (const { part, drops } of rows('parts') as Rows)
      if (part! < 95) expect(drops).toBeGreaterThan(0);
      else expect(drops).toBe(0);
    expect(figures['gbps-half']).toBeLessThan(0.7 * figures['gbps-whole']!);
    expect(figures.times).toBeGreaterThan(3);
    expect(outcomes.faster).toBe('four');
    expect(curves['by-length']).toHaveLength(15);
    expect(curves['by-headroom']).toHaveLength(6);
  },
};

const pauseStorm: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    for (const { rate, paused, pauses, formula } of rows('slow') as Rows) {
      expect(Math.abs(paused! - (100 - rate!))).toBeLessThan(0.5);
      near(pauses, formula!, 0.07);
    }
    expect((rows('slow') as Rows).map(({ rate }) => rate)).toEqual([20, 40, 60, 80, 90]);
    expect([figures['left-pfc'], figures['left-dcqcn']]).toEqual([0, 0]);
    expect(outcomes.dcqcn).toBe('none');
    near(figures['left-swift'], 100, 0.05);
    expect(figures['left-watchdog']).toBeGreaterThan(80);
    // Polled once per millisecond, it finds a pause of one.
    expect(figures.stands).toBeLessThan(2);
    expect(figures.back).toBeLessThan(4);
    expect(figures.ports).toBeGreaterThan(10);
    expect(figures.dropped).toBeGreaterThan(0);
    expect(figures.hosts).toBe(12);
    expect(curves.goodput).toHaveLength(4 * 120);
    expect(of('simulation')).toHaveLength(5 + 4 * 2);
  },
};

const microburst: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    // 15 answers of 16 packets.
    expect(figures.formula).toBeCloseTo((15 * 16 * 4178) / 1000, 9);
    near(figures.peak, figures.formula!, 0.01);
    near(figures.load, 100 * ((16 * 16 * 4178 * 8) / 100e6), 0.01);
    near(figures['use-10us'], 100, 0.01);
    expect(figures.empty).toBeGreaterThan(85);
    const [large, small, dcqcn, pfc] = rows('settings') as Rows;
    expect([large!.drops, pfc!.drops]).toEqual([0, 0]);
    near(small!.peak, 500, 0.01);
    expect(small!.drops).toBeGreaterThan(dcqcn!.drops!);
    expect(dcqcn!.drops).toBeGreaterThan(0);
    expect(outcomes.dcqcn).toBe('some');
    // 4.096 µs × 2^10, and its doubles.
    expect(figures['p99-small']).toBeGreaterThan(4.19);
    near(figures['p99-pfc'], figures.p99!, 0.05);
    expect((rows('hosts') as Rows).map(({ hosts }) => hosts)).toEqual([2, 4, 8, 16]);
    const use = curves.use!;
    for (const { x, y } of use.filter(({ series }) => series === 'simulated'))
      near(y, use.find((one) => one.x === x && one.series === 'formula')!.y!, 0.1);
    expect(of('simulation')).toHaveLength(4 + 3);
  },
};

export const SWITCHES: Record<string, Facts> = {
  'fabric-incast': fabricIncast,
  'dcqcn-fairness': dcqcnFairness,
  'ecn-or-pfc': ecnOrPfc,
  'pfc-victim': pfcVictim,
  'pfc-headroom': pfcHeadroom,
  'pause-storm': pauseStorm,
  microburst,
};
