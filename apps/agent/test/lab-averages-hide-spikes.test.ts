import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

it('claims no spikes of WRITEs that are longer than the path MTU', async () => {
  const lab = tampered(findLab('averages-hide-spikes'), {
    result: (op, result) =>
      op === 'createQp' && 'info' in result
        ? { ...result, info: { ...result.info, mtu: 1024 as const } }
        : result,
  });
  const { checks, results } = await finishLab(lab, {
    params: { messages: 10_000, every: 1000, delay: 500, size: 4096 },
  });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.find(({ id }) => id === 'spikes')).toMatchObject({
    applies: false,
    detail: expect.stringContaining('path MTU of 1 KiB') as string,
  });
  expect(results.figures['mean-computed']?.value).toBeNull();
});

it('notices latencies that are missing, and spikes that are not in them', async () => {
  const lab = tampered(findLab('averages-hide-spikes'), {
    result: (op, result) => {
      if (op === 'loop.wait' && 'messages' in result) return { ...result, messages: result.messages + 1 };
      // The device seems to have delayed more packets than there are slow WRITEs.
      if (op === 'faults.query' && 'delayed' in result) return { ...result, delayed: result.packets };
      return result;
    },
  });
  const run = await finishLab(lab, { params: { messages: 10_000, every: 1000, delay: 500 } });
  expect(failedChecks(run).sort()).toEqual(['samples', 'spikes']);
});
