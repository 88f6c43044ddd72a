/** Samples of the queues of a lab's endpoint: which queues are named, and the sums of the rest. */
import { MAX_SAMPLED, zQueues, type SampledQueue } from '@verbslab/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleOf } from '../src/endpoint/queue-sampler.js';

const queue = (kind: SampledQueue['kind'], number: number, used: number, size = 16): SampledQueue => ({
  ...{ kind, number, used, size },
  ...(kind === 'SQ' ? { queued: used } : {}),
});
const all = (kind: SampledQueue['kind'], fills: readonly number[]): SampledQueue[] =>
  fills.map((used, i) => queue(kind, i, used));

it('names all queues where a sample has room for them', () => {
  const queues = [...all('SQ', [3, 0]), ...all('RQ', [0, 0]), ...all('CQ', [5])];
  expect(sampleOf(queues, new Set())).toEqual({ queues, others: [] });
});

it('names the fullest of many, and sums up the rest', () => {
  const { queues, others } = sampleOf(
    all(
      'SQ',
      Array.from({ length: 40 }, (_, i) => i % 16),
    ),
    new Set(),
  );
  expect(queues.map(({ used }) => used)).toEqual([
    ...[15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8],
  ]);
  expect(others).toEqual([{ kind: 'SQ', queues: 24, used: 84, size: 24 * 16 }]);
});

it('names the emptiest receive queues of those that were used', () => {
  const fills = Array.from({ length: 20 }, (_, i) => (i < 18 ? i : 0));
  const received = new Set([0, 5, 6, 18]);
  const { queues } = sampleOf(all('RQ', fills), received);
  expect(queues.slice(0, 4).map(({ number }) => number)).toEqual([0, 18, 5, 6]);
});

it('loses no queue, and no entry', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          kind: fc.constantFrom<SampledQueue['kind']>('SQ', 'RQ', 'SRQ', 'CQ'),
          used: fc.integer({ min: 0, max: 64 }),
        }),
        { maxLength: 200 },
      ),
      (fills) => {
        const given = fills.map(({ kind, used }, i) => queue(kind, i, used, 64));
        const sample = zQueues.parse(sampleOf(given, new Set()));
        for (const kind of ['SQ', 'RQ', 'SRQ', 'CQ'] as const) {
          const of = <T extends { kind: string }>(list: readonly T[]) =>
            list.filter((one) => one.kind === kind);
          const named = of(sample.queues);
          const [rest] = of(sample.others);
          const sum = (list: readonly { used: number }[]) => list.reduce((n, { used }) => n + used, 0);
          expect(named.length).toBe(Math.min(MAX_SAMPLED, of(given).length));
          expect(named.length + (rest?.queues ?? 0)).toBe(of(given).length);
          expect(sum(named) + (rest?.used ?? 0)).toBe(sum(of(given)));
        }
      },
    ),
  );
});
