import type { QueueSample } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { ThinnedSamples } from '../src/program/thinned-samples.js';
import { run, CLOCK } from './helpers/run-feed.js';
import { hello, note, tick } from './helpers/feed.js';

const TICK = 100e6;
const sampleOf = (used: number, queues = 1): QueueSample => ({
  queues: Array.from({ length: queues }, (_, i) => ({ kind: 'CQ', number: i + 1, used, size: 4096 })),
  others: [],
});

const isEnd = ({ queues }: QueueSample): boolean => queues.length === 0;

function kept(samples: number, queues: number): { t: number; used: number }[] {
  const out: { t: number; used: number }[] = [];
  const process = new ThinnedSamples<QueueSample>(
    ({ queues: [first] }, t) => out.push({ t, used: first?.used ?? -1 }),
    isEnd,
  );
  for (let i = 0; i < samples; i++) {
    process.take(i * TICK, sampleOf(i, queues));
    process.tick(i * TICK);
  }
  process.end();
  return out;
}

it('keeps every sample of a program that does not run for long', () => {
  expect(kept(1000, 4)).toHaveLength(1000);
});

it('thins those of a program that runs for hours, and keeps the last one', () => {
  const day = kept(24 * 36_000, 1);
  expect(day.length).toBeLessThan(500_000);
  expect(day.at(-1)!.used).toBe(24 * 36_000 - 1);
  const wide = kept(36_000, 64);
  const gap = (i: number): number => wide[i + 1]!.t - wide[i]!.t;
  expect(gap(0)).toBe(TICK);
  expect(gap(wide.length - 3)).toBeGreaterThan(3 * TICK);
  expect(wide.length).toBeLessThan(10_000);
});

it('tells a sample that was held back once its turn has come', () => {
  const told: number[] = [];
  const process = new ThinnedSamples<QueueSample>((_, t) => told.push(t), isEnd);
  process.take(0, sampleOf(1));
  process.take(TICK / 2, sampleOf(2));
  expect(told).toEqual([0]);
  process.tick(TICK);
  expect(told).toEqual([0, TICK / 2]);
  process.take(TICK, { queues: [], others: [] });
  expect(told).toEqual([0, TICK / 2, TICK]);
});

it('records the samples of its queues on the clock of the run', () => {
  const bytes = Buffer.concat([
    hello(CLOCK),
    note({
      ...{ type: 'queues', t: 50, others: [{ kind: 'SQ', queues: 900, used: 3, size: 14_400 }] },
      queues: [{ kind: 'SQ', number: 17, used: 5, queued: 0, size: 16, since: 40 }],
    }),
    tick(60),
  ]);
  const { events } = run(bytes);
  expect(events.filter(({ kind }) => kind === 'queues')).toEqual([
    {
      ...{ kind: 'queues', endpoint: 'pid 42', t: 1_000_050 },
      queues: [{ kind: 'SQ', number: 17, used: 5, queued: 0, size: 16, since: 1_000_040 }],
      others: [{ kind: 'SQ', queues: 900, used: 3, size: 14_400 }],
    },
  ]);
});

it('records the policies of its queue pairs, and that they are gone', () => {
  const qp = {
    ...{ qpn: 17, recovery: 'selective-repeat', recoveryInEffect: 'go-back-n' },
    ...{ congestion: 'dcqcn-nic', cnps: 2, marks: 0 },
  };
  const figures = { lineRate: 1e10, rate: 5e9, target: 1e10, alphaPpm: 500_000, srttNs: 31_000 };
  const bytes = Buffer.concat([
    hello(CLOCK),
    note({ type: 'policies', t: 50, qps: [{ ...qp, ...figures }], others: 3 }),
    note({ type: 'policies', t: 60, qps: [], others: 0 }),
    tick(70),
  ]);
  const { events } = run(bytes);
  expect(events.filter(({ kind }) => kind === 'policies')).toEqual([
    { kind: 'policies', endpoint: 'pid 42', t: 1_000_050, qps: [{ ...qp, ...figures }], others: 3 },
    { kind: 'policies', endpoint: 'pid 42', t: 1_000_060, qps: [], others: 0 },
  ]);
});
