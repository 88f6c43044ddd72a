/** Row D8 of what the labs must show. */
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

export const MANY_HOSTS: Record<string, Facts> = { 'all-to-all': allToAll };
