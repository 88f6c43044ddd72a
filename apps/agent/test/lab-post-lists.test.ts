import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const postLists = findLab('post-lists');
const SHORT = { largest: 8, depth: 32, duration: 20, repeat: 1 };

describe('lists of requests per post', () => {
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
