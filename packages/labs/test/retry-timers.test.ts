import { expect, it } from 'vitest';
import { leastAckMs, leastRnrMs, timeoutMs, timeouts } from '../src/retry-timers/timers.js';

it('computes the times of the attributes', () => {
  expect(timeoutMs(14)).toBeCloseTo(67.109, 3);
  expect(leastAckMs(14, 7)).toBeCloseTo(536.87, 2);
  expect(leastRnrMs(0, 2)).toBeCloseTo(1310.72, 5);
  expect(leastRnrMs(14, 6)).toBeCloseTo(7.68, 5);
  expect(leastRnrMs(14, 0)).toBe(0);
  expect([timeouts(4), timeouts(9), timeouts(10)]).toEqual([[4], [4, 6, 8], [4, 6, 8, 10]]);
});
