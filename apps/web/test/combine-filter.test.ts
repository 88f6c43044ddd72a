import { compileFilter } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { combineFilter, stretchFilter } from '../src/parts/packets/combine-filter';

describe('the filter of a field', () => {
  it.each([
    ['', 'a.b == 1', 'only', 'a.b == 1'],
    ['x == 2', 'a.b == 1', 'only', 'a.b == 1'],
    ['', 'a.b == 1', 'and', 'a.b == 1'],
    ['', 'a.b == 1', 'not', '!(a.b == 1)'],
    ['x == 2', 'a.b == 1', 'and', 'x == 2 && a.b == 1'],
    ['x == 2', 'a.b == 1', 'not', 'x == 2 && !(a.b == 1)'],
    ['x == 2 || y == 3', 'a.b == 1', 'and', '(x == 2 || y == 3) && a.b == 1'],
    ['(x == 2 or y == 3) && z', 'a.b == 1', 'and', '(x == 2 or y == 3) && z && a.b == 1'],
    ['frame contains "or"', 'a.b == 1', 'and', 'frame contains "or" && a.b == 1'],
    ['x == 2 && a.b == 1', 'a.b == 1', 'and', 'x == 2 && a.b == 1'],
    [' ', 'a || b', 'and', 'a || b'],
  ] as const)('%j and %j, %s: %j', (current, added, use, result) => {
    expect(combineFilter(current, added, use)).toBe(result);
  });
});

describe('a stretch of time', () => {
  it('narrows the filter in place, and takes the place of an earlier stretch', () => {
    const first = stretchFilter('vl.nak || vl.gap', 1_500_000, 2e6);
    expect(first).toBe('(vl.nak || vl.gap) && frame.time_relative >= 0.0015 && frame.time_relative < 0.002');
    expect(stretchFilter(first, 0, 1e9)).toBe(
      '(vl.nak || vl.gap) && frame.time_relative >= 0 && frame.time_relative < 1',
    );
    expect(stretchFilter('', 1, 10)).toBe(
      'frame.time_relative >= 0.000000001 && frame.time_relative < 0.00000001',
    );
    expect(() => compileFilter(first)).not.toThrow();
  });
});
