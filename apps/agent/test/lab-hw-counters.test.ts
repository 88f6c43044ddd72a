import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const hwCounters = findLab('hw-counters');

it('notices counters that move by themselves, and too far', async () => {
  let reading = 0;
  const lab = tampered(hwCounters, {
    result: (op, result) => {
      if (op !== 'counters' || !('values' in result)) return result;
      reading++;
      return {
        ...result,
        values: Object.fromEntries(
          Object.entries(result.values).map(([name, value]) => [name, value + reading]),
        ),
      };
    },
  });
  expect(failedChecks(await finishLab(lab, { params: { retries: 0 } })).sort()).toEqual([
    'calm',
    'loss',
    'receive',
    'refused',
    'traffic',
  ]);
});

it('predicts with other numbers', async () => {
  const { results, checks } = await finishLab(hwCounters, {
    params: { writes: 3, behind: 1, retries: 0, link: 'udp' },
  });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.figures.timeouts?.value).toBe(1);
  expect(results.figures.ahead?.value).toBe(1);
});
