import { expect, it } from 'vitest';
import {
  beyondText,
  beyondTimers,
  leastAckMs,
  leastRnrMs,
  timeoutMs,
  timeouts,
} from '../src/formulas/retry-timers.js';

it('computes the times of the attributes', () => {
  expect(timeoutMs(14)).toBeCloseTo(67.109, 3);
  expect(leastAckMs(14, 7)).toBeCloseTo(536.87, 2);
  expect(leastRnrMs(0, 2)).toBeCloseTo(1310.72, 5);
  expect(leastRnrMs(14, 6)).toBeCloseTo(7.68, 5);
  expect(leastRnrMs(14, 0)).toBe(0);
  expect([timeouts(4), timeouts(9), timeouts(10)]).toEqual([[4], [4, 6, 8], [4, 6, 8, 10]]);
});

it('comments a time that the timers do not explain', () => {
  const line = (x: number, measured: number | null) => ({ x, least: leastAckMs(x, 3), measured });
  const none = beyondTimers([line(4, 4 * leastAckMs(4, 3)), line(6, null)]);
  expect(none).toEqual({ at: [], excessMs: 0 });
  expect(beyondText(none)).toBe('');
  const found = beyondTimers([line(4, 6), line(6, 5), line(8, 12)]);
  expect(found.at).toEqual([4, 6]);
  expect(found.excessMs).toBeCloseTo(6 - 1.048576, 9);
  expect(beyondText(found)).toContain('At timeouts 4, 6 the ratio is above 4');
  expect(beyondText(found)).toContain('up to 4.95 ms');
});
