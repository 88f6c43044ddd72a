import type { QueueSample } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueHistory, queueRows } from '../src/queues/index.js';

const SQ = { endpoint: 'pid 1', kind: 'SQ', number: 17 } as const;
const named = (used: number, more: object = {}): QueueSample['queues'][number] => ({
  ...{ kind: 'SQ' as const, number: 17, used, size: 16, queued: used },
  ...more,
});

const history = (
  ...samples: [t: number, queues: QueueSample['queues'], others?: QueueSample['others']][]
) => {
  const out = new QueueHistory();
  for (const [t, queues, others = []] of samples)
    out.event({ kind: 'queues', endpoint: 'pid 1', t, queues, others });
  return out;
};

describe('the occupancy of a queue', () => {
  it('is unknown before the first sample, and holds from then on', () => {
    const of = history([100, [named(5)]], [200, [named(0)]]);
    expect(of.at(SQ, 99)).toEqual({ is: 'unknown', why: 'before' });
    expect(of.at(SQ, 100)).toMatchObject({ is: 'known', used: 5, t: 100 });
    expect(of.at(SQ, 199)).toMatchObject({ used: 5 });
    expect(of.at(SQ, 1e12)).toMatchObject({ is: 'known', used: 0, t: 200 });
    expect(of.at({ ...SQ, endpoint: 'pid 2' }, 150)).toEqual({ is: 'unknown', why: 'before' });
  });

  it('is not that of a queue that the sample leaves out, or that is gone', () => {
    const others = [{ kind: 'SQ' as const, queues: 900, used: 3, size: 900 }];
    const of = history([100, [named(5)]], [200, [named(9, { number: 18 })], others], [300, []]);
    expect(of.at(SQ, 250)).toEqual({ is: 'unknown', why: 'left-out' });
    expect(of.at({ ...SQ, number: 18 }, 250)).toMatchObject({ used: 9 });
    expect(of.at({ ...SQ, number: 18 }, 350)).toEqual({ is: 'unknown', why: 'gone' });
  });

  it('is at each sample what the sample says', () => {
    const sample = fc.array(fc.record({ number: fc.integer({ min: 1, max: 5 }), used: fc.nat(16) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 40 }), (samples) => {
        const lists = samples.map((queues) => [
          ...new Map(queues.map((queue) => [queue.number, queue])).values(),
        ]);
        const of = history(
          ...lists.map((queues, i): [number, QueueSample['queues']] => [
            100 * (i + 1),
            queues.map((queue) => named(queue.used, { number: queue.number })),
          ]),
        );
        lists.forEach((queues, i) => {
          for (const number of [1, 2, 3, 4, 5]) {
            const at = of.at({ ...SQ, number }, 100 * (i + 1));
            const expected = queues.find((queue) => queue.number === number);
            expect(at.is === 'known' ? at.used : undefined).toBe(expected?.used);
          }
        });
      }),
    );
  });
});

it('lists the fullest queue first, also of a process that has destroyed them', () => {
  const rows = queueRows(history([100, [named(1), named(9, { number: 18 })]], [200, []]), 'pid 1')!;
  expect(rows.t).toBe(100);
  expect(rows.rows.map(({ name, used }) => `${name} ${used}`)).toEqual(['SQ 0x000012 9', 'SQ 0x000011 1']);
});
