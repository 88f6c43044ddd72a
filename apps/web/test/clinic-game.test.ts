// Rules of the clinic: points, rows of right diagnoses, and squares by category.
import { CATEGORIES, CLINIC_CASES } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import {
  answersInOrder,
  EVIDENCE,
  inARow,
  MOST_POINTS,
  pointsFor,
  tallies,
  type Solved,
} from '../src/labs/clinic/game';

const solved = (one: string, right: boolean): Solved => ({ case: one, right, points: right ? 3 : 0 });

describe('points', () => {
  it('go down with each piece of evidence, and a right answer keeps one', () => {
    const points = Array.from({ length: EVIDENCE.length + 1 }, (_, opened) => pointsFor(true, opened));
    expect(points).toEqual([6, 5, 4, 3, 2, 1]);
    expect(points[0]).toBe(MOST_POINTS);
    expect(pointsFor(true, 40)).toBe(1);
  });

  it('are none for a wrong answer', () => {
    expect(pointsFor(false, 0)).toBe(0);
  });
});

it('counts right diagnoses since the last wrong one', () => {
  expect(inARow([])).toBe(0);
  expect(inARow([solved('a', true), solved('b', true)])).toBe(2);
  expect(inARow([solved('a', true), solved('b', false), solved('c', true)])).toBe(1);
  expect(inARow([solved('a', false)])).toBe(0);
});

describe('squares', () => {
  it('cover every case once', () => {
    const squares = tallies(CLINIC_CASES, CATEGORIES, []).flatMap(({ cases }) => cases);
    expect(squares).toHaveLength(CLINIC_CASES.length);
    expect(squares.every((one) => one === null)).toBe(true);
  });

  it('show the last diagnosis of a case, and those that were met first', () => {
    const keys = tallies(CLINIC_CASES, CATEGORIES, [
      solved('range-overrun', false),
      solved('range-overrun', true),
      solved('wrong-rkey', false),
    ]).find(({ id }) => id === 'keys');
    expect(
      keys?.cases
        .slice(0, 3)
        .filter((one) => one !== null)
        .sort(),
    ).toEqual([false, true]);
    expect(keys?.cases.slice(2).every((one) => one === null)).toBe(true);
  });
});

it('puts the answers into an order of the seed', () => {
  const { answers } = CLINIC_CASES[0]!;
  const orders = Array.from({ length: 40 }, (_, seed) => answersInOrder(answers, seed));
  for (const order of orders) expect([...order].sort()).toEqual([...answers].sort());
  expect(orders[3]).toEqual(answersInOrder(answers, 3));
  // Every answer comes first for some seed.
  expect(new Set(orders.map(([first]) => first)).size).toBe(answers.length);
});
