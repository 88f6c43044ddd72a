import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statOf, type Stat } from '../src/base/sweep.js';
import {
  compare,
  doubtOf,
  extreme,
  fasterCell,
  fasterOf,
  fasterText,
  furtherApart,
  ratioText,
  repetitionsFor,
  roundsFor,
  roundsWon,
} from '../src/base/verdict.js';

const SEED = Number(process.env.VERBSLAB_SEED ?? 20_261_128);
const PAGES = 4000;

/** mulberry32, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The part of pages with a false verdict, of pages on which nothing differs. */
function falsePages(page: (random: () => number) => boolean): number {
  const random = randomOf(SEED);
  let wrong = 0;
  for (let i = 0; i < PAGES; i++) if (page(random)) wrong++;
  return wrong / PAGES;
}

/** 5 % and three standard deviations over `PAGES` pages. */
const MOST = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / PAGES);

const measuredWith = (random: () => number, n: number): number[] => Array.from({ length: n }, random);
const low = statOf([1, 2, 3, 2, 2]);
const high = statOf([4, 5, 6, 5, 5]);
const wide = statOf([2, 4, 9, 4, 4]);

describe(`where nothing differs, pages with a false verdict are rare (seed ${SEED})`, () => {
  it.each([1, 2, 6, 20])('by ranges, with %d verdicts on a page', (among) => {
    const n = repetitionsFor(among);
    const part = falsePages((random) =>
      Array.from({ length: among }, () =>
        compare(statOf(measuredWith(random, n)), statOf(measuredWith(random, n)), among),
      ).some((verdict) => verdict === 'higher' || verdict === 'lower'),
    );
    expect(part).toBeLessThan(MOST);
  });

  it.each([1, 4, 14])('by rounds won, with %d verdicts on a page', (among) => {
    const rounds = roundsFor(among) + 3;
    const part = falsePages((random) =>
      Array.from({ length: among }, () =>
        fasterOf(measuredWith(random, rounds), measuredWith(random, rounds), among),
      ).some((verdict) => verdict === 'first' || verdict === 'second'),
    );
    expect(part).toBeLessThan(MOST);
  });

  it.each([2, 3, 5])('by the extreme one of %d', (settings) => {
    const part = falsePages((random) => {
      const [first, ...others] = Array.from({ length: settings }, () => statOf(measuredWith(random, 4))).sort(
        (a, b) => a.value - b.value,
      );
      return extreme(first!, others, 1) === 'lower';
    });
    expect(part).toBeLessThan(MOST);
  });
});

describe('a verdict by ranges', () => {
  it('needs ranges that do not overlap', () => {
    expect([compare(high, low, 1), compare(low, high, 1), compare(wide, low, 1)]).toEqual([
      'higher',
      'lower',
      'unclear',
    ]);
    expect(ratioText(high, low, 1)).toBe('2.50×');
    expect(ratioText(wide, low, 1)).toBe('no clear difference');
    expect([doubtOf(high, low, 1), doubtOf(wide, low, 1)]).toEqual([null, ratioText(wide, low, 1)]);
  });

  it('needs more repetitions, the more verdicts a page has', () => {
    expect([1, 2, 6, 7, 23, 24].map(repetitionsFor)).toEqual([4, 5, 5, 6, 6, 7]);
    expect(compare(high, low, 6)).toBe('higher');
    expect(compare(high, low, 7)).toBe('few');
  });

  it('is not there with few repetitions, whether ranges overlap or not', () => {
    const few = (...values: number[]): Stat => statOf(values);
    expect(compare(few(9, 8, 7), few(1, 2, 3), 1)).toBe('few');
    expect(compare(few(9, 2, 7), few(1, 2, 3), 1)).toBe('few');
    expect(ratioText(few(9, 8, 7), few(1, 2, 3), 1)).toBe(
      '4×; 3 repetitions are too few for a verdict, 4 are needed',
    );
    expect(ratioText(few(9), few(3), 1)).toBe('3×; one repetition has no spread');
    expect(doubtOf(few(9), few(3), 1)).toBe('one repetition has no spread');
  });

  it('is not there where nothing completed', () => {
    const nothing = 'nothing completed in the measured time';
    expect(ratioText(statOf([]), statOf([3]), 1)).toBe(nothing);
    expect(doubtOf(statOf([3, 4, 5, 6]), statOf([]), 1)).toBe(nothing);
    expect(ratioText(statOf([9, 9, 9, 9]), statOf([0, 0, 0, 0]), 1)).toBe(nothing);
  });

  it('turns with the order of the two, whatever was measured', () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 9 });
    const turned = { higher: 'lower', lower: 'higher', unclear: 'unclear', few: 'few' } as const;
    fc.assert(
      fc.property(values, values, fc.integer({ min: 1, max: 40 }), (a, b, among) => {
        expect(compare(statOf(b), statOf(a), among)).toBe(turned[compare(statOf(a), statOf(b), among)]);
      }),
      { seed: SEED },
    );
  });

  it('on the extreme of several needs a range apart from all others', () => {
    expect(extreme(low, [high, high], 1)).toBe('lower');
    expect(extreme(high, [low, low], 1)).toBe('higher');
    expect(extreme(low, [high, wide], 1)).toBe('unclear');
    expect(extreme(statOf([1]), [statOf([2]), statOf([3])], 1)).toBe('few');
  });
});

describe('a verdict by rounds', () => {
  const same = Array.from({ length: 9 }, () => 10);
  const won = (rounds: number): number[] => same.map((_, i) => (i < rounds ? 9 : 11));

  it('needs most of them, by the sign test', () => {
    expect([9, 8, 7, 2, 1, 0].map((rounds) => fasterOf(won(rounds), same, 1))).toEqual([
      ...['first', 'first', 'unclear', 'unclear', 'second', 'second'],
    ]);
    // 2 × 10 / 512 of a chance is enough for one verdict, not for two.
    expect(fasterOf(won(8), same, 2)).toBe('unclear');
    expect([1, 2, 6, 14].map(roundsFor)).toEqual([6, 7, 8, 10]);
  });

  it('counts a tie for neither', () => {
    expect(roundsWon([1, 2, 3], [1, 3, 2])).toEqual({ first: 1, second: 1 });
    expect(fasterOf(same, same, 1)).toBe('unclear');
  });

  it('is told with the rounds', () => {
    expect(fasterCell(won(1), same, 1, 'WRITE', 'eager')).toBe('eager in 8 of 9');
    expect(fasterCell(won(5), same, 1, 'WRITE', 'eager')).toBe('unclear: WRITE in 5 of 9');
    expect(fasterCell([1, 1, 1], [2, 2, 2], 1, 'WRITE', 'eager')).toBe('too few rounds: WRITE in 3 of 3');
    expect(fasterText(won(9), same, 1, 'overlapped', 'in turn')).toBe('faster overlapped in 9 of 9 rounds');
    expect(fasterText(won(5), same, 1, 'overlapped', 'in turn')).toBe(
      'no clear difference, overlapped was faster in 5 of 9 rounds',
    );
    expect(fasterText([1, 1, 1], [2, 2, 2], 1, 'overlapped', 'in turn')).toBe(
      'overlapped was faster in 3 of 3 rounds, too few for a verdict (6 needed)',
    );
  });
});

describe('distances of runs', () => {
  it('are a difference only beyond those of rounds, and with enough rounds', () => {
    expect(furtherApart(0.5, 0.2, [5, 5], 1)).toBe('further');
    expect(furtherApart(0.2, 0.2, [5, 5], 1)).toBe('unclear');
    expect(furtherApart(0.5, 0.2, [3, 3], 1)).toBe('few');
    expect(furtherApart(0.5, 0.2, [5, 5], 7)).toBe('few');
  });
});
