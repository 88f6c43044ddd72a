import { describe, expect, it } from 'vitest';
import { parseQuantity } from '../src/index.js';

describe('reading quantities', () => {
  it.each([
    ['64 KiB', 'B', 65536],
    ['64k', 'B', 65536],
    ['1kB', 'B', 1000],
    ['0.5 GiB', 'B', 2 ** 29],
    ['500 ms', 's', 0.5],
    ['16 WRs', 'WRs', 16],
    ['16', undefined, 16],
  ])('%s in %s is %d', (input, unit, n) => expect(parseQuantity(input, unit)).toBe(n));
  it.each([['many'], ['12 parsecs'], [''], ['1 KiB 2']])('%s is no size', (input) =>
    expect(parseQuantity(input, 'B')).toBeNull(),
  );
});
