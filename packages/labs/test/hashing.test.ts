import { expect, it } from 'vitest';
import { busiestPath, shareInUse } from '../src/formulas/hashing.js';

/** The mean flows on the busiest path over all ways in which the hash can fall. */
function counted(paths: number, flows: number): number {
  let sum = 0;
  const ways = paths ** flows;
  for (let way = 0; way < ways; way++) {
    const load = Array.from({ length: paths }, () => 0);
    for (let flow = 0, rest = way; flow < flows; flow++, rest = Math.floor(rest / paths))
      load[rest % paths]!++;
    sum += Math.max(...load);
  }
  return sum / ways;
}

it('says how many paths flows use', () => {
  expect(shareInUse(1, 1)).toBe(1);
  expect(shareInUse(8, 8)).toBeCloseTo(0.6564, 4);
  expect(shareInUse(32, 32)).toBeCloseTo(0.6379, 4);
});

it.each([
  [1, 5],
  [2, 2],
  [2, 7],
  [3, 5],
  [4, 6],
])('expects of %i paths with %i flows what counting all ways gives', (paths, flows) => {
  expect(busiestPath({ paths, flows })).toBeCloseTo(counted(paths, flows), 4);
});

it('takes the busiest of several sets', () => {
  const one = busiestPath({ paths: 4, flows: 4 });
  expect(busiestPath({ paths: 4, flows: 4, sets: 4 })).toBeGreaterThan(one);
  expect(busiestPath({ paths: 4, flows: 4, sets: 2 })).toBeCloseTo(
    busiestPath({ paths: 4, flows: 4 }, { paths: 4, flows: 4 }),
    9,
  );
  expect(busiestPath({ paths: 4, flows: 400 }) / 400).toBeLessThan(0.3);
});
