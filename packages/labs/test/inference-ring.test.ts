import { expect, it } from 'vitest';
import { bestOf } from '../src/inference-ring/best.js';
import { statOf } from '../src/base/sweep.js';
import { batchAt, deviationOf, lineOf, timeOf } from '../src/inference-ring/line.js';
import {
  decodeResults,
  decodeSlots,
  encodeResults,
  encodeSlots,
  expectedScore,
  intact,
  runsOf,
  scoreOf,
  slotBytes,
} from '../src/inference-ring/ring.js';

const SHAPE = { slots: 8, features: 5 };

it('cuts a batch in two where it goes past the end of the ring', () => {
  expect(runsOf(SHAPE, 1, 8)).toEqual([{ first: 1, slot: 0, count: 8 }]);
  expect(runsOf(SHAPE, 7, 3)).toEqual([
    { first: 7, slot: 6, count: 2 },
    { first: 9, slot: 0, count: 1 },
  ]);
  expect(runsOf(SHAPE, 17, 2)).toEqual([{ first: 17, slot: 0, count: 2 }]);
});

it('reads the requests that were written, and notices a byte that is wrong', () => {
  const bytes = encodeSlots(SHAPE, 7, 3);
  expect(bytes).toHaveLength(3 * slotBytes(SHAPE));
  const requests = decodeSlots(SHAPE, bytes);
  expect(requests.map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
  expect(requests.map((one) => intact(one, one.sequence))).toEqual([true, true, true]);
  expect(requests.map(({ features }) => scoreOf(features))).toEqual(
    [7, 8, 9].map((sequence) => expectedScore(SHAPE, sequence)),
  );
  bytes[slotBytes(SHAPE) - 1]! ^= 1;
  expect(decodeSlots(SHAPE, bytes).map((one) => intact(one, one.sequence))).toEqual([false, true, true]);
  const results = [{ sequence: 9, score: -12 }];
  expect(decodeResults(encodeResults(results))).toEqual(results);
});

it('draws the line through batches of two costs', () => {
  const line = lineOf([1, 2, 4, 32].map((batch) => ({ batch, time: 50 + 3 * batch })));
  expect(line.fixed).toBeCloseTo(50, 6);
  expect(line.each).toBeCloseTo(3, 6);
  expect(timeOf(line, 10)).toBeCloseTo(80, 6);
  // 150 / (50 + 3 × 150) = 0.3 per unit of time, 90 % of 1/3.
  expect(batchAt(line, 0.9)).toBeCloseTo(150, 6);
  expect(batchAt({ fixed: -1, each: 3 }, 0.9)).toBeNull();
  const off = deviationOf({ fixed: 50, each: 3 }, [
    { batch: 2, time: 56 },
    { batch: 10, time: 64 },
  ]);
  // 80 by the line, 16 more than the 64 that were measured.
  expect(off).toEqual({ batch: 10, part: 0.25 });
});

it('names a knee only where the smaller sizes are clearly slower', () => {
  const sized = (batch: number, times: number[]) => {
    const rounds = [...times, ...times, ...times];
    return { batch, rounds, time: statOf(rounds) };
  };
  // 10, 5 and 5 per request.
  const clear = bestOf([
    sized(1, [10, 10, 10]),
    sized(2, [10, 10, 10]),
    sized(4, [20, 20, 21]),
    sized(8, [90, 90, 90]),
  ]);
  expect([clear.batch, clear.knee]).toEqual([2, 2]);
  expect(clear.text).toBe(
    '; no clear difference from batches of 4. The knee is at batches of 2, the first with 90 % of the best.',
  );
  // A round of the smallest batch was faster than the best one.
  const noisy = bestOf([
    sized(1, [10, 4, 10]),
    sized(2, [10, 10, 10]),
    sized(4, [20, 20, 20]),
    sized(8, [90, 90, 90]),
  ]);
  expect(noisy.knee).toBeNull();
  expect(noisy.text).toBe(
    '; no clear difference from batches of 1 and 4. So the run does not show where the knee is.',
  );
});
