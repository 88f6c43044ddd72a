import { expect, it } from 'vitest';
import { decodeControl, encodeControl } from '../src/rendezvous/control.js';
import { crossoverOf, formulaOf, powersOfFour } from '../src/rendezvous/crossover.js';

it('grows sizes by a factor of 4 and ends with the largest', () => {
  expect(powersOfFour(1024, 65_536)).toEqual([1024, 4096, 16_384, 65_536]);
  expect(powersOfFour(1024, 70_000)).toEqual([1024, 4096, 16_384, 65_536, 70_000]);
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

it('carries addresses of 64 bits and lengths in a control message', () => {
  const control = { tag: 0xffff_ffff, length: 2 ** 33, addr: '0xfedcba9876543210', rkey: 0x8000_0001 };
  expect(decodeControl(encodeControl(control))).toEqual(control);
});
