import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const SHORT = { depth: 16, duration: 20, repeat: 1, smallQueue: 8, postList: 4 };

const signalEvery = findLab('signal-every');

describe('signaling every N-th request', () => {
  it('notices signals where there should be none, and completions that are too many', async () => {
    const lab = tampered(signalEvery, {
      args: (op, args) =>
        op === 'postSend' && 'wr' in args ? { ...args, wr: { ...args.wr, signaled: true } } : args,
      result: (op, result) =>
        op === 'loop.wait' && 'whole' in result && result.whole
          ? { ...result, whole: { ...result.whole, completions: (result.whole.completions ?? 0) + 1 } }
          : result,
    });
    expect(failedChecks(await finishLab(lab, { params: SHORT }))).toEqual([
      'counted',
      'silent',
      'full',
      'too-rare',
      'often-enough',
    ]);
  });
});
