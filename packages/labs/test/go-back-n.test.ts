import { expect, it } from 'vitest';
import { stops, timeWithLoss, timeoutNs, unseen } from '../src/loss/go-back-n.js';

const alone = { packets: 1, window: 1, perMessage: 10_000, latency: 10_000, timeout: timeoutNs(12) };

it('computes what a loss costs', () => {
  expect(timeoutNs(12)).toBeCloseTo(16_777_216, 3);
  // Each try is lost with probability 1/2: one loss on average before a packet arrives.
  expect(stops(1, 0.5)).toBe(1);
  expect(stops(4, 0.5)).toBe(4);
  // With one packet in flight, each loss waits for the timeout.
  expect(unseen(alone, 0.01)).toBe(1);
  expect(timeWithLoss(alone, 0.01)).toBeCloseTo(10_000 + 16_777_216 / 99, 3);
  // With four packets: every fourth loss and 1 % of the others.
  expect(unseen({ packets: 4, window: 1 }, 0.01)).toBeCloseTo(0.25 + 0.75 * 0.01, 12);
  // With several messages in flight a later packet shows the gap.
  expect(unseen({ packets: 1, window: 8 }, 0.01)).toBe(0.01);
  expect(timeWithLoss({ ...alone, window: 8 }, 0)).toBe(10_000);
});
