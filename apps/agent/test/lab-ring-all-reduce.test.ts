import { findLab } from '@verbslab/labs';
import { RC } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, withoutPacket } from './helpers/lab-results.js';
import { rows, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { repeat: 1, large: 65_536 };

describe('an all-reduce', () => {
  it.each([
    [2, { messages: 4, most: 1 }, { messages: 2, most: 1 }],
    [5, { messages: 40, most: 1.6 }, { messages: 8, most: 3 }],
    [8, { messages: 112, most: 1.75 }, { messages: 14, most: 3 }],
  ])('among %d hosts adds up every element, with the messages of the formulas', async (hosts, ring, tree) => {
    const lab = await runLab('ring-all-reduce', { ...SHORT, hosts });
    expect(unmet(lab)).toEqual([]);
    expect(rows(lab, 'counts')).toMatchObject([ring, tree]);
  });

  it('notices a vector that is not what it was, and packets that are missing', async () => {
    let first = true;
    const lab = tampered(findLab('ring-all-reduce'), {
      args: (op, args, endpoint) => {
        if (op !== 'writeMemory' || endpoint !== 'host-2' || !first || !('base64' in args)) return args;
        first = false;
        // Another first element.
        return { ...args, base64: `AAAAPw${args.base64.slice(6)}` };
      },
      result: withoutPacket('host-1', RC.writeOnlyImmediate),
    });
    expect(failedChecks(await finishLab(lab, { params: SHORT })).sort()).toEqual([
      'counters',
      'messages',
      'packets',
      'sums',
    ]);
  });
});
