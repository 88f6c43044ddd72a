import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const GROUP = 512;

it('notices rows that are never complete, and a WRITE that comes as a whole', async () => {
  const lab = tampered(findLab('feature-store'), {
    args: (op, args, endpoint) => {
      if (endpoint !== 'writer') return args;
      if (op === 'faults' && 'rules' in args) return { ...args, rules: [] };
      if (op !== 'postAndWait' || !('wr' in args) || args.wr.local?.[0]?.length !== GROUP) return args;
      // Bytes of the watermark and of the group before.
      return { ...args, wr: { ...args.wr, local: [{ ...args.wr.local[0], offset: 0 }] } };
    },
  });
  const params = { epochs: 2, groups: 2, groupBytes: GROUP };
  expect(failedChecks(await finishLab(lab, { params })).sort()).toEqual([
    'ignoring',
    'one-write',
    'row-first',
    'watermark-first',
  ]);
});
