import type { PacketMark } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { nextMarked } from '../src/packets/capture-facts';

describe('the way to the next exceptional packet', () => {
  const marks = new Map<number, PacketMark[]>([
    [9, ['nak']],
    [2, ['retransmission', 'duplicate']],
    [5, ['rnr']],
  ]);

  it('continues from the chosen one, and from the last to the first', () => {
    const naks = [-1, 4, 5, 8, 9, 99].map((from) => nextMarked(marks, ['nak', 'rnr'], from));
    expect(naks).toEqual([5, 5, 9, 9, 5, 5]);
    expect(nextMarked(marks, ['retransmission'], 2)).toBe(2);
  });

  it('is none where no packet is so', () => {
    expect(nextMarked(marks, ['malformed'], 0)).toBeNull();
  });
});
