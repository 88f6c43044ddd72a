import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

it('notices requests that complete too early, and a window that carries too much', async () => {
  const lab = tampered(findLab('delay-and-window'), {
    // The device delays nothing, and the loop counts far more than it wrote.
    args: (op, args) => (op === 'faults' ? {} : args) as typeof args,
    result: (op, result) =>
      op === 'loop.wait' && 'messages' in result ? { ...result, bytes: result.bytes * 1000 } : result,
  });
  const run = await finishLab(lab, { params: { largest: 8, duration: 20, repeat: 1 } });
  expect(failedChecks(run).sort()).toEqual(['bounded', 'delayed']);
});
