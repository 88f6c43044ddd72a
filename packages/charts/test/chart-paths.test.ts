import { describe, expect, it } from 'vitest';
import { layerPath, linePath, stepPath } from '../src/data/index.js';

const x = (v: number) => v * 10;
const y = (v: number) => 100 - v;

describe('paths of a chart', () => {
  it('draw a line through the values and leave a gap where one is missing', () => {
    const rows = [{ t: 0, a: 1 }, { t: 1, a: 2 }, { t: 2 }, { t: 3, a: 4 }, { t: 4, a: 5 }];
    expect(linePath(rows, 'a', x, y)).toBe('M0.0 99.0L10.0 98.0M30.0 96.0L40.0 95.0');
    expect(linePath([], 'a', x, y)).toBe('');
  });

  it('stack a layer on those below it', () => {
    const rows = [
      { t: 0, a: 1, b: 2 },
      { t: 1, a: 3, b: 4 },
    ];
    expect(layerPath(rows, [], 'a', x, y)).toBe('M0.0 99.0L10.0 97.0L10.0 100.0L0.0 100.0Z');
    expect(layerPath(rows, ['a'], 'b', x, y)).toBe('M0.0 97.0L10.0 93.0L10.0 97.0L0.0 99.0Z');
  });

  it('draw a histogram bin by bin, down to zero at both ends', () => {
    expect(stepPath([1, 2, 4], [5, 7], x, y)).toBe(
      'M10.0 100.0L10.0 95.0L20.0 95.0L20.0 93.0L40.0 93.0L40.0 100.0',
    );
    expect(stepPath([1], [], x, y)).toBe('');
  });
});
