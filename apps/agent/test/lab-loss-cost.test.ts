import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';

const lossCost = findLab('loss-cost');
const SHORT = { duration: 20, repeat: 1, highest: 1 };
/** Enough repetitions to show that one of four settings is faster. */
const CLEAR = 5;

/** The lab with loops that seem a million times faster while packets get lost. */
function fasterWithLoss() {
  let lossy = false;
  return tampered(lossCost, {
    args: (op, args) => {
      if (op === 'faults') lossy = 'rates' in args && (args.rates?.drop ?? 0) > 0;
      return args;
    },
    result: (op, result) =>
      op === 'loop.wait' && 'elapsedNs' in result && lossy
        ? { ...result, elapsedNs: result.elapsedNs / 1e6 }
        : result,
  });
}

describe('the cost of a loss', () => {
  it('notices bytes that are missing, packets that were not counted, and a loss that makes it faster', async () => {
    const lab = tampered(fasterWithLoss(), {
      result: (op, result, endpoint) => {
        if (op === 'hashMemory' && endpoint === 'client') return { ...result, sha256: 'other' };
        if (op === 'tap.stop' && 'opcodes' in result)
          return { ...result, opcodes: { ...result.opcodes, 10: (result.opcodes[10] ?? 0) + 1 } };
        return result;
      },
    });
    const run = await finishLab(lab, { params: { ...SHORT, repeat: CLEAR } });
    expect(failedChecks(run).sort()).toEqual(['arrived', 'counted', 'slower']);
  });

  it('cannot tell by fewer repetitions, which other programs may have slowed down', async () => {
    const run = await finishLab(fasterWithLoss(), { params: SHORT });
    expect(failedChecks(run)).toEqual([]);
    expect(tooBusyChecks(run)).toEqual(['slower']);
  });
});
