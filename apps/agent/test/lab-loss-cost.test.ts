import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const lossCost = findLab('loss-cost');
const SHORT = { duration: 20, repeat: 1, highest: 1 };

it('notices bytes that are missing, packets that were not counted, and a loss that makes it faster', async () => {
  let lossy = false;
  const lab = tampered(lossCost, {
    args: (op, args) => {
      if (op === 'faults') lossy = 'rates' in args && (args.rates?.drop ?? 0) > 0;
      return args;
    },
    result: (op, result, endpoint) => {
      if (op === 'hashMemory' && endpoint === 'client') return { ...result, sha256: 'other' };
      if (op === 'tap.stop' && 'opcodes' in result)
        return { ...result, opcodes: { ...result.opcodes, 10: (result.opcodes[10] ?? 0) + 1 } };
      if (op === 'loop.wait' && 'elapsedNs' in result && lossy)
        return { ...result, elapsedNs: result.elapsedNs / 1e6 };
      return result;
    },
  });
  expect(failedChecks(await finishLab(lab, { params: SHORT })).sort()).toEqual([
    'arrived',
    'counted',
    'slower',
  ]);
});
