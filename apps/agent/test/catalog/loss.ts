/** Row A7 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

/** Number of packets of which, at 5 % loss, at least one is lost. */
const MANY = 200;

const lossCost: Facts = {
  params: { duration: 40, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const points = rows('points') as Record<string, number>[];
    expect(points.map(({ size, window, loss }) => [size, window, loss])).toEqual(
      [4096, 32_768].flatMap((size) =>
        [1, 8].flatMap((window) => [0, 0.01, 0.1, 1, 5].map((loss) => [size, window, loss])),
      ),
    );
    for (const { loss, lost } of points) if (loss === 0) expect(lost).toBe(0);
    const worst = points.filter(({ loss }) => loss === 5);
    // Lost packets are retransmitted, with those that followed them.
    for (const { size, lost, again, gbps } of worst) {
      // A loss is certain only with many packets; a busy machine may send fewer in the short time.
      if ((gbps! * 1e9 * 0.04) / 8 / Math.min(size!, 4096) > MANY) expect(lost).toBeGreaterThan(0);
      expect(again).toBeGreaterThanOrEqual(lost! - 1);
      // On a busy machine, the timeouts of one message may fill the short measurement.
      expect(gbps).toBeGreaterThanOrEqual(0);
    }
    // With one packet in flight, the device waits 16.8 ms for each loss, except for one after the end.
    const [alone] = worst;
    expect(alone!.timeouts).toBeGreaterThanOrEqual(alone!.lost! - 1);
    expect(figures['captured-lost']).toBeGreaterThan(0);
    expect(figures['captured-again']).toBeGreaterThanOrEqual(figures['captured-lost']!);
    // A busy machine slows down the reference, too, so the result may exceed 100 %.
    const [lossless, , , hundredth] = points;
    expect(figures['kept-alone']).toBeCloseTo((100 * hundredth!.gbps!) / lossless!.gbps!, 6);
    expect(figures['lost-alone']).toBe(points.find(({ loss }) => loss === 1)!.lost);
    expect(rows('formula')).toHaveLength(4);
    for (const { size, window, packets, time, latency, timeout } of rows('formula') as Record<
      string,
      number
    >[]) {
      expect(timeout).toBeCloseTo(16.777216, 9);
      for (const { loss, predicted } of points.filter((one) => one.size === size && one.window === window)) {
        const p = loss! / 100;
        const q = window === 1 ? 1 / packets! + (1 - 1 / packets!) * p : p;
        const us = time! + ((packets! * p) / (1 - p)) * ((1 - q) * latency! + q * timeout! * 1000);
        expect(predicted! / ((size! * 8) / us / 1000)).toBeCloseTo(1, 6);
      }
    }
    // The residual that is farthest from 0, with its sign.
    const residuals = points.flatMap(({ loss, residual }) => (loss === 0 ? [] : [residual!]));
    const far = Math.max(...residuals.map(Math.abs));
    expect(Math.abs(figures.residual!)).toBeCloseTo(far, 9);
    expect(residuals.some((one) => Math.abs(one - figures.residual!) < 1e-9)).toBe(true);
    expect([figures['kept-alone']! < figures['kept-small']! ? 'one' : 'several', 'unclear']).toContain(
      outcomes.window,
    );
    expect(curves.small).toHaveLength(16);
    expect(curves.large).toHaveLength(16);
  },
};

const lossAmplification: Facts = {
  params: { messages: 200, largest: 16, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const single = rows('single') as Record<string, number>[];
    // The rule drops one packet; a sender that retransmits only what was lost would send one more.
    expect(single.map(({ window, lost, selective }) => [window, lost, selective])).toEqual(
      [1, 2, 4, 8, 16].map((window) => [window, 1, 1]),
    );
    for (const { again, hadArrived } of single) expect(again).toBe(hadArrived! + 1);
    const random = rows('random') as Record<string, number>[];
    for (const { needed, sent, again, hadArrived, selective, amplification } of random) {
      expect(needed).toBe(200);
      expect(sent).toBe(needed! + hadArrived! + selective!);
      expect(sent).toBe(needed! + again!);
      expect(amplification).toBeCloseTo(sent! / needed!, 9);
    }
    expect(figures.amplification).toBe(random.at(-1)!.amplification);
    expect(figures.amplification).toBeGreaterThanOrEqual(figures.selective!);
    expect(curves.afterOne).toHaveLength(10);
    expect(curves.amplified).toHaveLength(10);
    expect(outcomes.arrived).toMatch(/none|some|most/);
  },
};

const delayAndWindow: Facts = {
  params: { largest: 8, duration: 20, repeat: 1, delay: 400 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const paths = rows('paths') as Record<string, number>[];
    expect(paths.map(({ delay }) => delay)).toEqual([0, 100, 400]);
    for (const { delay, rtt, product, needed } of paths) {
      // The round trip is measured, and holds the delay and more.
      expect(rtt).toBeGreaterThan(delay!);
      expect(product).toBeCloseTo((figures.link! * rtt! * 1000) / 8, 3);
      expect(needed).toBeCloseTo(product! / 4096, 9);
    }
    for (const { delay, window, computed } of rows('points') as Record<string, number>[]) {
      const { rtt } = paths.find((path) => path.delay === delay)!;
      expect(computed).toBeCloseTo(Math.min(figures.link!, (window! * 4096 * 8) / (rtt! * 1000)), 9);
    }
    // The link is as fast as the best window without delay, so half of its rate needs no more than that window.
    expect(figures['half-none']).toBeLessThanOrEqual(8);
    for (const { delay, half } of paths) {
      const measured = (rows('points') as Record<string, number>[]).filter((one) => one.delay === delay);
      const first = measured.find(({ gbps }) => gbps! >= figures.link! / 2)?.window;
      expect(half).toBe(first ?? null);
    }
    expect(curves.goodput?.filter(({ series }) => series === 'half').map(({ y }) => y)).toEqual(
      [1, 2, 4, 8].map(() => figures.link! / 2),
    );
    expect(figures['kept-eight']).toBeGreaterThan(0);
    expect(outcomes.rule).toMatch(/link|window/);
  },
};

const averagesHideSpikes: Facts = {
  params: { messages: 10_000, every: 100, delay: 1000 },
  holds: ({ curves, figures, rows }) => {
    const [calm, spiky] = rows('summaries') as Record<string, number>[];
    expect([calm!.n, spiky!.n]).toEqual([10_000, 10_000]);
    expect(calm!.delayed).toBe(0);
    // 100 expected, with a standard deviation of 10.
    expect(spiky!.delayed).toBeGreaterThan(50);
    expect(spiky!.delayed).toBeLessThan(150);
    expect(figures.max).toBeGreaterThanOrEqual(1000);
    expect(figures.p999).toBeGreaterThanOrEqual(1000);
    expect(figures['mean-computed']).toBeCloseTo(figures['mean-calm']! + spiky!.delayed! / 10, 6);
    const counted = (series: string): number =>
      curves.histogram!.reduce((sum, point) => sum + (point.series === series ? point.y! : 0), 0);
    expect([counted('calm'), counted('spiky')]).toEqual([10_000, 10_000]);
    const last = (series: string) => curves.cumulative!.findLast((point) => point.series === series)!;
    expect([last('calm').y, last('spiky').y]).toEqual([10_000, 10_000]);
    expect(last('spiky').x).toBe(figures.max);
  },
};

export const LOSS: Record<string, Facts> = {
  'loss-cost': lossCost,
  'loss-amplification': lossAmplification,
  'delay-and-window': delayAndWindow,
  'averages-hide-spikes': averagesHideSpikes,
};
