/** Labs of recovery, paths and whole fabrics. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

type Rows = Record<string, number>[];

/** Within a part of a closed form. */
const near = (found: number | null | undefined, formula: number, part: number): void => {
  expect(found! / formula).toBeGreaterThan(1 - part);
  expect(found! / formula).toBeLessThan(1 + part);
};

const ackTimeout: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const all = rows('timeouts') as Rows;
    expect(all.map(({ timeout }) => timeout)).toEqual([3, 4, 5, 6, 7, 8, 10, 12, 14]);
    // 16 senders, a fourth of 64 packets each, and the round trip.
    near(figures.interval, 16 * 16 * 0.33424 + 6.7, 0.01);
    expect(figures['shortest-safe']).toBe(5);
    for (const { us, sent } of all) {
      if (us! > figures.interval!) expect(sent).toBe(1);
      else expect(sent).toBeGreaterThan(2);
    }
    // 128 retries of 16 connections are over before the first ACK is back.
    expect(all[0]!.failed).toBe(16);
    expect(outcomes.short).toBe('fail');
    for (const { kept, formula, timeout } of all) near(kept, formula!, timeout! <= 10 ? 0.1 : 0.4);
    expect(figures.longest).toBeLessThan(35);
    expect(figures.best).toBeGreaterThan(85);
    near(figures.tail, 67.109, 0.01);
    near(figures.whole, 0.0896, 0.01);
    expect(curves['last-packet']).toHaveLength(16);
    expect(of('simulation')).toHaveLength(1 + 9 + 9 + 8);
  },
};

const lossPolicies: Facts = {
  params: { live: 1.5 },
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const all = rows('points') as unknown as {
      recovery: string;
      loss: number;
      kept: number;
      again: number;
      live: number;
      'live-again': number;
    }[];
    expect(all).toHaveLength(3 * 5);
    expect(new Set(all.map(({ recovery }) => recovery)).size).toBe(3);
    for (const { recovery, loss, kept, again } of all)
      if (recovery === 'Selective repeat') {
        near(kept, 100 - loss, 0.01);
        near(again, 1, 0.1);
      }
    // A loss costs the packets of a round trip: 96 of 4096 B at 100 Gb/s and 32 µs.
    near(figures['n-some'], (100 * 0.999) / (0.999 + 0.096), 0.05);
    expect(figures.n).toBeLessThan(60);
    expect(figures.zero).toBeLessThan(figures.n!);
    expect(outcomes.again).toBe('many');
    expect(figures['n-again']).toBeGreaterThan(50);
    // How many packets are sent again does not depend on the speed of the machine.
    for (const one of all.filter(({ loss }) => loss === 1)) {
      if (one.recovery === 'Go-back-N') near(one['live-again'], one.again, 0.3);
      if (one.recovery === 'Selective repeat') expect(one['live-again']).toBeLessThan(2);
      expect(one.live).toBeGreaterThan(0);
      expect(one.live).toBeLessThan(110);
    }
    expect(curves.kept).toHaveLength(3 * all.length);
    expect(curves.residuals).toHaveLength(2 * all.length);
    expect(of('simulation').length % all.length).toBe(0);
  },
};

const amplificationLoop: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    // 2 MB of buffer and 100 Gb/s for 6.68 µs, among 16.
    near(figures.threshold, (2e6 + 12_500 * 6.682) / 16, 0.001);
    for (const { part, drops, sent } of rows('windows') as Rows)
      if (part! < 1) expect([drops, sent]).toEqual([0, 1]);
      else expect(sent).toBeGreaterThan(1.05);
    expect(figures.stuck).toBeGreaterThan(1.1);
    expect(figures.calm).toBeLessThan(1.05);
    expect(outcomes.after).toBe('stays');
    expect(figures.goodput).toBeLessThan(0.95 * figures['goodput-calm']!);
    expect(figures.backlog).toBeGreaterThan(3 * figures['backlog-calm']!);
    expect(figures.healed).toBeLessThan(6);
    expect(figures.own).toBeGreaterThan(1.2);
    expect(curves.received).toHaveLength(3 * 56);
    // The stuck network is busier than its load.
    const late = (series: string): number[] =>
      curves.received!.filter((one) => one.series === series && one.x > 10).map(({ y }) => y!);
    const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
    expect(mean(late('middle'))).toBeGreaterThan(1.05 * mean(late('calm')));
    expect(of('simulation')).toHaveLength(8 + 6);
  },
};

const ecmpCollisions: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    expect(figures['used-formula']).toBeCloseTo(65.6391, 3);
    near(figures.used, figures['used-formula']!, 0.2);
    const all = rows('qps') as unknown as { fabric: string; qps: number; time: number; formula: number }[];
    const one = all.filter(({ fabric }) => fabric === 'One tier');
    expect(one.map(({ qps }) => qps)).toEqual([1, 2, 4, 8, 16]);
    for (const { time, formula } of one) near(time, formula, 0.2);
    // Expected busiest of 8 paths with 8 flows.
    near(one[0]!.formula, 2.597, 0.001);
    expect(figures['slow-many']).toBeLessThan(0.7 * figures['slow-one']!);
    // Four of sixteen paths are in use.
    expect(figures['same-many']).toBeGreaterThan(4);
    expect(figures['own-many']).toBeLessThan(2);
    expect(outcomes.polarized).toBe('no');
    expect(curves.two).toHaveLength(2 * 2 * 3);
    expect(of('simulation')).toHaveLength(8 * (5 + 3 + 3));
  },
};

const topologyPressure: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const all = rows('settings') as Rows;
    expect(all).toHaveLength(3 * 2 * 3);
    for (const { time, formula } of all) near(time, formula!, 0.3);
    expect(figures['rank-rail']).toBeLessThan(1.05);
    expect(figures['neighbor-leaf']).toBeLessThan(1.1);
    expect(figures['rank-leaf']).toBeGreaterThan(2);
    expect(figures['neighbor-rail']).toBeGreaterThan(2);
    expect(figures['all-over']).toBeGreaterThan(2.5 * figures['all-even']!);
    expect(outcomes.rank).toBe('rail');
    near(figures['same-order'], 2, 0.02);
    near(figures.staggered, 1, 0.02);
    // Seven windows of 64 packets, but what the links hold.
    near(figures['same-queue'], 7 * 64 * 4178 - 12_500 * 6.682, 0.06);
    expect(figures['staggered-queue']).toBeLessThan(20_000);
    expect(curves.all).toHaveLength(12);
    expect(of('simulation')).toHaveLength(18 * 3 + 3);
  },
};

const allReduceLoss: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    const all = rows('rings') as Rows;
    expect(all.map(({ hosts, loss }) => [hosts, loss])).toEqual(
      [8, 16, 32, 64].flatMap((hosts) => [0.01, 0.1, 1].map((loss) => [hosts, loss])),
    );
    // 64 hosts × 126 steps × 16 packets × 0.01², and 64 last packets.
    expect(figures.expected).toBeCloseTo(64 * 126 * 16 * 1e-4 + 0.64, 9);
    near(figures.timeouts, figures.expected!, 0.4);
    // √(16 × 0.01²) × 126 steps wait for a timeout of 4.19 ms.
    near(figures.formula, 1 + (0.04 * 126 * 4.194) / figures.whole!, 0.001);
    near(figures.many, figures.formula!, 0.4);
    expect(figures.rare).toBeLessThan(1.1);
    expect(figures.barrier).toBeGreaterThan(10 * figures.some!);
    expect(outcomes.many).toBe('much');
    expect(curves.slowdown).toHaveLength(4 * 6);
    expect(of('simulation')).toHaveLength(4 * (1 + 3 * 6));
  },
};

const pfcDeadlock: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    expect([figures.limit, figures.from]).toEqual([50, 52]);
    for (const { rate, stuck, pause, formula } of rows('rates') as Rows) {
      if (rate! < 50) expect([stuck, pause]).toEqual([0, null]);
      else {
        expect(stuck).toBeGreaterThan(1000);
        near(pause, formula!, 0.1);
      }
    }
    expect(figures.stuck).toBeGreaterThan(99);
    expect(figures.ring).toBe(0);
    expect(figures.drops).toBeLessThan(5);
    expect(figures.acted).toBeGreaterThan(4);
    expect(outcomes.watchdog).toBe('nothing');
    expect(figures.forwards).toBeGreaterThan(30);
    expect(figures.lossy).toBeGreaterThan(10);
    near(figures.tree, (100 * 4096) / 4178, 0.01);
    const [ring] = rows('settings') as Rows;
    // Each switch is paused by the next, and each host by its switch.
    expect(ring!.paused).toBe(8);
    expect(curves.received).toHaveLength(5 * 40);
    expect(of('simulation')).toHaveLength(2 * 10 + 5);
  },
};

export const FABRIC_PATHS: Record<string, Facts> = {
  'ack-timeout': ackTimeout,
  'loss-policies': lossPolicies,
  'amplification-loop': amplificationLoop,
  'ecmp-collisions': ecmpCollisions,
  'topology-pressure': topologyPressure,
  'all-reduce-loss': allReduceLoss,
  'pfc-deadlock': pfcDeadlock,
};
