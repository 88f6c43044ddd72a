import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const SMALL = { readers: 1, rows: 64, slots: 16, lookups: 200 };

it('notices rows that went to another slot, invalidations of another row, and READs that it did not count', async () => {
  const lab = tampered(findLab('embedding-cache'), {
    args: (op, args, endpoint) => {
      if (op === 'postSendList' && endpoint === 'reader-1' && 'wrs' in args)
        return { ...args, wrs: args.wrs.map((wr) => ({ ...wr, remote: args.wrs[0]!.remote! })) };
      if (op === 'postSend' && endpoint === 'trainer' && 'wr' in args && 'imm' in args.wr)
        return { ...args, wr: { ...args.wr, imm: 63 } };
      return args;
    },
    result: (op, result, endpoint) =>
      op === 'tap.flush' && endpoint === 'reader-1' && 'list' in result
        ? { ...result, list: result.list.slice(1) }
        : result,
  });
  expect(failedChecks(await finishLab(lab, { params: SMALL })).sort()).toEqual([
    'acknowledged',
    'cached',
    'reads',
  ]);
});
