import { expect, it } from 'vitest';
import { decodeControl, encodeControl } from '../src/rendezvous/control.js';
import {
  crossoverOf,
  formulaOf,
  formulaRange,
  formulaText,
  orderOf,
  tripDisturbed,
  verdictsText,
  type Order,
} from '../src/rendezvous/crossover.js';
import { powersOf } from '../src/base/sweep.js';

it('grows sizes by a factor of 4 and ends with the largest', () => {
  expect(powersOf(4, 65_536, 1024)).toEqual([1024, 4096, 16_384, 65_536]);
  expect(powersOf(4, 70_000, 1024)).toEqual([1024, 4096, 16_384, 65_536, 70_000]);
});

it('finds where the lines cross for the last time, or that they do not', () => {
  const at = (size: number, eager: number, rendezvous: number) => ({ size, eager, rendezvous });
  // 10 + 2 n and 40 + n meet at n = 30.
  expect(crossoverOf([at(10, 30, 50), at(20, 50, 60), at(40, 90, 80)])).toBe(30);
  expect(crossoverOf([at(1, 9, 8), at(10, 30, 50), at(20, 50, 60), at(40, 90, 80)])).toBe(30);
  expect(crossoverOf([at(10, 30, 20), at(20, 50, 30)])).toBe(10);
  expect(crossoverOf([at(10, 30, 50), at(20, 50, 60)])).toBeNull();
});

it('computes the size whose copies take one round trip', () => {
  // 5 µs, and 1 MB copied in 200 µs: 25,000 B.
  expect(formulaOf(5000, 200_000, 1_000_000)).toBe(25_000);
});

it('calls a way faster if it won seven of eight rounds, of three at least', () => {
  const same = Array.from({ length: 9 }, () => 10);
  const won = (rounds: number) => same.map((_, i) => (i < rounds ? 9 : 11));
  expect([9, 8, 7, 2, 1, 0].map((rounds) => orderOf(same, won(rounds), 1))).toEqual([
    ...['rendezvous', 'rendezvous', 'unclear', 'unclear', 'eager', 'eager'],
  ]);
  expect(orderOf([2, 2, 2], [1, 1, 1], 1)).toBe('few');
});

const verdicts = (...orders: Order[]) => orders.map((order, i) => ({ size: 1024 * 4 ** i, order }));

it('says at which sizes a way was faster, and where none was', () => {
  expect(verdictsText(verdicts('eager', 'eager', 'unclear', 'rendezvous'), 'WRITE')).toBe(
    'Eager was faster at 1 KiB and 4 KiB; WRITE was faster at 64 KiB; there was no clear difference at 16 KiB.',
  );
  expect(verdictsText(verdicts('few', 'few'), 'WRITE')).toBe('These are too few rounds for a verdict.');
});

it('says what the clear sizes tell about the formula', () => {
  const exact = { value: 8000, min: 8000, max: 8000 };
  expect(formulaText(exact, verdicts('eager', 'eager', 'rendezvous'))).toContain('agree');
  expect(formulaText(exact, verdicts('eager', 'unclear', 'eager'))).toContain('contradicts it at 16 KiB');
  expect(formulaText(exact, verdicts('rendezvous', 'eager', 'unclear'))).toContain('at 1 KiB');
  expect(formulaText(exact, verdicts('eager', 'eager', 'unclear'))).toMatch(/^At 16 KiB.*neither/);
  expect(formulaText({ ...exact, max: 80_000 }, verdicts('eager', 'eager', 'unclear'))).toContain(
    'cannot test',
  );
  // Within the range of the formula either way may be faster.
  expect(formulaText({ ...exact, min: 2000 }, verdicts('eager', 'rendezvous', 'rendezvous'))).toContain(
    'agree',
  );
});

it('gives the formula the range of its parts, and notices a round trip that was disturbed', () => {
  const trip = { value: 5000, min: 4000, max: 10_000 };
  const copy = { value: 200_000, min: 100_000, max: 400_000 };
  expect(formulaRange(trip, copy, 1_000_000)).toEqual({ value: 25_000, min: 10_000, max: 100_000 });
  // A round trip of the same length as the message is none too long.
  expect([241, 180, 150].map((trip) => tripDisturbed(trip, 174))).toEqual([true, false, false]);
});

it('carries addresses of 64 bits and lengths in a control message', () => {
  const control = { tag: 0xffff_ffff, length: 2 ** 33, addr: '0xfedcba9876543210', rkey: 0x8000_0001 };
  expect(decodeControl(encodeControl(control))).toEqual(control);
});
