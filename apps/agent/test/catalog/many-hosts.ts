/** Row D8 of what the labs must show, and other patterns among many hosts. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const allToAll: Facts = {
  params: { repeat: 2, large: 4096 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const [pairwise, bruck] = rows('counts');
    // P = 4: P − 1 messages of a block; log2 P messages of P / 2 blocks.
    expect(pairwise).toMatchObject({ messages: 3, blocks: 3, bytes: 3 * 64, packets: 2 * 4 * 3 });
    expect(bruck).toMatchObject({ messages: 2, blocks: 4, bytes: 4 * 64, packets: 2 * 4 * 2 });
    expect(figures['packets-pairwise']).toBe(24);
    expect(figures['packets-bruck']).toBe(16);
    expect(rows('schedule')).toEqual([
      { algorithm: 'Pairwise', round: 1, peer: 2, count: 1, blocks: '1→2' },
      { algorithm: 'Pairwise', round: 2, peer: 3, count: 1, blocks: '1→3' },
      { algorithm: 'Pairwise', round: 3, peer: 4, count: 1, blocks: '1→4' },
      { algorithm: 'Bruck', round: 1, peer: 2, count: 2, blocks: '1→2, 1→4' },
      { algorithm: 'Bruck', round: 2, peer: 3, count: 2, blocks: '1→3, 4→3' },
    ]);
    expect(curves.time).toHaveLength(8);
    for (const { median, n } of rows('times')) {
      expect(median).toBeGreaterThan(0);
      expect(n).toBe(2);
    }
    for (const size of ['small', 'large']) expect(outcomes[size]).toMatch(/^(pairwise|bruck|unclear)$/);
  },
};

const ringAllReduce: Facts = {
  params: { repeat: 2, large: 65_536 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const [ring, tree] = rows('counts');
    // N = 4: 2 (N − 1) messages of 1 / N vector from each host; 2 (N − 1) messages of a vector in 2 log2 N steps.
    expect(ring).toMatchObject({ steps: 6, messages: 24, most: 1.5, packets: 24 });
    expect(tree).toMatchObject({ steps: 4, messages: 6, most: 2 });
    expect(figures['sent-ring']).toBe(1.5);
    // Every host of the ring sends as much as any other; the root of the tree sends most.
    expect(rows('hosts').map(({ vectors }) => vectors)).toEqual([1.5, 1.5, 1.5, 1.5, 2, 1, 2, 1]);
    expect(rows('steps').filter(({ algorithm }) => algorithm === 'Binary tree')).toMatchObject([
      { what: 'adds', sends: '2→1, 4→3' },
      { what: 'adds', sends: '3→1' },
      { what: 'keeps the sum', sends: '1→3' },
      { what: 'keeps the sum', sends: '1→2, 3→4' },
    ]);
    expect(rows('steps')[0]).toMatchObject({
      sends: '1→2: part 1, 2→3: part 2, 3→4: part 3, 4→1: part 4',
    });
    // Another order of additions: some sums round to other bits, most do not.
    expect(figures.differ).toBeGreaterThan(0);
    expect(figures.differ).toBeLessThan(100);
    expect(curves.time).toHaveLength(12);
    for (const { median, n } of rows('times')) {
      expect(median).toBeGreaterThan(0);
      expect(n).toBe(2);
    }
    for (const size of ['small', 'large']) expect(outcomes[size]).toMatch(/^(ring|tree|unclear)$/);
  },
};

const incast: Facts = {
  params: { duration: 40, repeat: 2, clients: 3, link: 'auto' },
  // The probe has its own ring in shared memory. On a busy machine the clients may not send at the same time.
  may: ['less', 'waits'],
  holds: ({ curves, figures, rows }) => {
    expect(rows('loads').map(({ clients }) => clients)).toEqual([0, 1, 2, 3]);
    const clients = rows('clients');
    expect(clients.map(({ client }) => client)).toEqual([1, 2, 3]);
    expect(figures.each).toBeCloseTo(figures.total! / 3, 1);
    expect(figures.share).toBeGreaterThan(0);
    expect(figures.fairness).toBeGreaterThanOrEqual(0.333);
    expect(figures.fairness).toBeLessThanOrEqual(1);
    // WRITEs need no RECV.
    expect(figures.naks).toBe(0);
    expect(figures.waiting).toBeCloseTo((3 * 16 * 65_536 * 8) / figures.total! / 1000, 3);
    expect(curves.goodput).toHaveLength(6);
  },
};

export const MANY_HOSTS: Record<string, Facts> = {
  'all-to-all': allToAll,
  'ring-all-reduce': ringAllReduce,
  incast,
};
