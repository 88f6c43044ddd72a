import { describe, expect, it } from 'vitest';
import { boundOf, mostWithin, onlyOne, waitsOf } from '../src/cm-pooling/policies.js';

describe('pauses between tries', () => {
  it('stay the same, double up to a limit, or are drawn below that', () => {
    expect(waitsOf('fixed', 20, 1).slice(0, 3)).toEqual([20, 20, 20]);
    expect(waitsOf('exponential', 20, 1).slice(0, 7)).toEqual([20, 40, 80, 160, 320, 320, 320]);
    const drawn = waitsOf('jitter', 20, 1).slice(0, 50);
    drawn.forEach((wait, n) => {
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(boundOf(20, n));
    });
    expect(waitsOf('jitter', 20, 1).slice(0, 50)).toEqual(drawn);
    expect(waitsOf('jitter', 20, 2).slice(0, 50)).not.toEqual(drawn);
  });

  it('are counted within a window', () => {
    expect(mostWithin([], 20)).toBe(0);
    expect(mostWithin([5, 100, 110, 119, 120], 20)).toBe(3);
    expect(mostWithin([120, 0, 101, 100], 20)).toBe(2);
  });

  it('name one policy only if no other one has the same number', () => {
    const all = [
      { policy: 'fixed', tries: 23 },
      { policy: 'exponential', tries: 20 },
      { policy: 'jitter', tries: 20 },
    ] as const;
    expect(onlyOne(all, ({ tries }) => -tries)).toBe('fixed');
    expect(onlyOne(all, ({ tries }) => tries)).toBe('equal');
  });
});
