import { expect, it } from 'vitest';
import { jainIndex } from '../src/incast/fairness.js';

it('is 1 for equal shares, 1 / n for a single one, and nothing where nobody gets anything', () => {
  expect(jainIndex([2, 2, 2, 2])).toBe(1);
  expect(jainIndex([8, 0, 0, 0])).toBe(1 / 4);
  // (1 + 3)² / (2 × (1 + 9)).
  expect(jainIndex([1, 3])).toBe(0.8);
  expect(jainIndex([0, 0])).toBeNull();
});
