import { expect, it } from 'vitest';
import { jainIndex } from '../src/base/fairness.js';
import { limitText, sharesOf } from '../src/incast/fairness.js';

it('is 1 for equal shares, 1 / n for a single one, and nothing where nobody gets anything', () => {
  expect(jainIndex([2, 2, 2, 2])).toBe(1);
  expect(jainIndex([8, 0, 0, 0])).toBe(1 / 4);
  // (1 + 3)² / (2 × (1 + 9)).
  expect(jainIndex([1, 3])).toBe(0.8);
  expect(jainIndex([0, 0])).toBeNull();
});

it('gives shares that add up and are in the order of their values', () => {
  const shares = sharesOf([5.05, 5.03, 4.6, 4.7]);
  expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(100);
  expect(shares[0]).toBeGreaterThan(shares[1]!);
});

it('calls the server the limit only if its device had no time left', () => {
  expect(limitText(60.9)).toContain('60.9 % of one core for NIC work, so it was not the limit');
  expect(limitText(97)).toContain('so the server was the limit');
});
