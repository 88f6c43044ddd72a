import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const SHORT = { depth: 16, duration: 20, repeat: 1, smallQueue: 8, postList: 4 };

const signalEvery = findLab('signal-every');

describe('signaling every N-th request', () => {
  it.each(['udp', 'auto'] as const)('holds on the link %s', async (link) => {
    const run = await finishLab(signalEvery, { params: { ...SHORT, link } });
    expect(failedChecks(run)).toEqual([]);
    expect(run.checks.map(({ id }) => id).sort()).toEqual(
      signalEvery.description.checks.map(({ id }) => id).sort(),
    );
    const { tables, curves, figures, outcomes } = run.results;
    expect(tables.counted?.map(({ every, completions }) => [every, completions])).toEqual([
      [1, 256],
      [2, 128],
      [4, 64],
      [8, 32],
      [16, 16],
    ]);
    expect(
      tables.queue?.map(({ every, room, accepted, completions }) => [every, room, accepted, completions]),
    ).toEqual([
      ['never', 8, 8, 0],
      [9, 8, 8, 0],
      [8, 8, 32, 4],
      [2, 8, 32, 16],
    ]);
    expect(curves.rate?.map(({ x }) => x)).toEqual([1, 2, 4, 8, 16]);
    expect(figures.room?.value).toBe(8);
    expect(outcomes.none).toBe('full');
    expect(run.answer).toContain('ENOMEM');
  });

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
