import { expect, it } from 'vitest';
import { breakEven, crossing, perMessage, registrations, sums } from '../src/register-or-copy/break-even.js';

const round = (...times: number[]) =>
  times.map((prepareNs, i) => ({ hit: i > 0, evictions: 0, prepareNs, transferNs: 1 }));

it('breaks even at the first number of copies that cost more', () => {
  expect(breakEven(20, 4)).toBe(6);
  expect(breakEven(21, 4)).toBe(6);
  expect(breakEven(3, 4)).toBe(1);
  // The look-up costs a part of what the copy would have.
  expect(breakEven(20, 4, 2)).toBe(11);
  expect(breakEven(20, 4, 4)).toBeNull();
});

it('leaves the first message of a round out of the time per message', () => {
  expect(perMessage([round(900, 3, 5), round(800, 4, 4)])).toBe(4);
});

it('adds up medians over the rounds', () => {
  expect(sums([round(10, 1, 1), round(12, 1, 900), round(11, 2, 1)])).toEqual([11, 12, 13]);
});

it('counts what was not found', () => {
  expect(registrations(round(1, 1, 1))).toBe(1);
});

it('finds where the sums cross', () => {
  expect(crossing([10, 11, 12], [5, 10, 15])).toBe(3);
  expect(crossing([10, 11], [5, 10])).toBeNull();
});
