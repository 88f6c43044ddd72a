import { bitsOf } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { nextMarked } from '../src/packets/capture-facts';

describe('the way to the next exceptional packet', () => {
  const marks = new Uint16Array(12);
  marks[2] = bitsOf(['retransmission', 'duplicate']);
  marks[5] = bitsOf(['rnr']);
  marks[9] = bitsOf(['nak']);

  it('continues from the chosen one, and from the last to the first', () => {
    const naks = [-1, 4, 5, 8, 9, 11].map((from) => nextMarked(marks, ['nak', 'rnr'], from));
    expect(naks).toEqual([5, 5, 9, 9, 5, 5]);
    expect(nextMarked(marks, ['retransmission'], 2)).toBe(2);
  });

  it('is none where no packet is so', () => {
    expect(nextMarked(marks, ['malformed'], 0)).toBeNull();
  });
});
