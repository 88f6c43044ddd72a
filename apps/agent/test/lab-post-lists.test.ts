import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const postLists = findLab('post-lists');
const SHORT = { largest: 8, depth: 32, duration: 20, repeat: 1 };

describe('lists of requests per post', () => {
  it.each(['udp', 'auto'] as const)('hold on the link %s', async (link) => {
    const run = await finishLab(postLists, { params: { ...SHORT, link } });
    expect(failedChecks(run)).toEqual([]);
    expect(run.checks.map(({ id }) => id).sort()).toEqual(
      postLists.description.checks.map(({ id }) => id).sort(),
    );
    const { tables, curves, figures, outcomes } = run.results;
    expect(tables.lists?.map(({ length, calls }) => [length, calls])).toEqual([
      [1, 1_000_000],
      [2, 500_000],
      [4, 250_000],
      [8, 125_000],
    ]);
    expect(tables.refused?.map(({ call, result, completed }) => [call, result, completed])).toEqual([
      ['ibv_post_send', 'ENOMEM', 16],
      ['ibv_post_send', 'EINVAL', 4],
      ['ibv_wr_complete', 'ENOMEM', 0],
    ]);
    expect(curves.rate?.every(({ y }) => y !== null && y > 0)).toBe(true);
    expect(figures.accepted?.value).toBe(16);
    expect(outcomes.refused).toBe('some');
  });

  it('notice other work, and lists of which another part is sent', async () => {
    const lab = tampered(postLists, {
      args: (op, args) => {
        if (op === 'loop.start' && 'cqMod' in args) return { ...args, cqMod: 1 };
        // Half of the send queue that the long list is to fill.
        if (op === 'createQp' && 'maxSendWr' in args && args.maxSendWr === 16)
          return { ...args, maxSendWr: 8 };
        if (op !== 'postSendList' || !('wrs' in args)) return args;
        const { extended = false, wrs } = args;
        // Too little of the lists that may be sent in part, and a part of the one that may not.
        return extended ? { ...args, extended: false } : { ...args, wrs: wrs.slice(3) };
      },
    });
    expect(failedChecks(await finishLab(lab, { params: SHORT }))).toEqual([
      'same-work',
      'too-long',
      'invalid',
      'all-or-nothing',
    ]);
  });
});
