import { expect, it } from 'vitest';
import { bandwidthDelay, inFlight, mostInFlight, windowLimited } from '../src/formulas/little.js';

it('computes what is in flight', () => {
  // 10^6 messages per second of 10 µs each.
  expect(inFlight(1e6, 10_000)).toBeCloseTo(10, 9);
  // 100 Gb/s for 10 µs: 10^6 bits.
  expect(bandwidthDelay(100, 10_000)).toBe(125_000);
  expect(windowLimited(16, 4096, 10_000)).toBeCloseTo(52.4288, 9);
  expect(windowLimited(1, bandwidthDelay(100, 10_000), 10_000)).toBe(100);
  expect(mostInFlight(8, 1000, 10_000)).toBeCloseTo(8.8, 9);
});
