import { describe, expect, it } from 'vitest';
import { breakEven } from '../src/remote-execution/break-even.js';
import { sizesUpTo } from '../src/remote-execution/measure.js';

const line = (...times: number[]) => times.map((time, i) => ({ size: 100 * (i + 1), time }));

describe('the break-even', () => {
  it('is where straight lines between the sizes cross', () => {
    // 50 more at 100, 50 less at 200.
    expect(breakEven(line(150, 150), line(100, 200))).toEqual({ at: 150 });
    expect(breakEven(line(10, 10, 10), line(4, 8, 16))).toEqual({ at: 225 });
    expect(breakEven(line(8, 4), line(8, 8))).toEqual({ at: 100 });
  });

  it('is the last of several crossings', () => {
    expect(breakEven(line(5, 15, 15, 5), line(10, 10, 10, 10))).toEqual({ at: 350 });
  });

  it('is nowhere where one way stays ahead, or is no longer ahead at the end', () => {
    expect(breakEven(line(1, 2), line(3, 4))).toEqual({ never: 'always-less' });
    expect(breakEven(line(3, 4), line(1, 2))).toEqual({ never: 'always-more' });
    expect(breakEven(line(1, 4), line(3, 4))).toEqual({ never: 'always-more' });
  });
});

describe('the sizes', () => {
  it('grow by 8 and end with the largest', () => {
    expect(sizesUpTo(8 << 20)).toEqual([4096, 32_768, 262_144, 2_097_152, 8_388_608]);
    expect(sizesUpTo(32_768)).toEqual([4096, 32_768]);
    expect(sizesUpTo(32_769)).toEqual([4096, 32_768, 32_769]);
  });
});
