import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const params = { slots: 8, batch: 4, batches: 4, features: 4, rounds: 5, repeat: 1 };

it('notices ids out of order, bytes in a notification, and requests that are in another slot', async () => {
  const lab = tampered(findLab('inference-ring'), {
    args: (op, args, endpoint) => {
      if (op !== 'postSendList' || !('wrs' in args) || endpoint !== 'client') return args;
      const [first, second, ...rest] = args.wrs;
      const notice = rest.pop()!;
      // The first request of a batch goes where the second belongs, and so do the bytes of the notification.
      const { remote } = second!;
      const bytes = [{ ...first!.local![0]!, length: 8 }];
      return {
        ...args,
        wrs: [{ ...first!, remote }, second!, ...rest, { ...notice, remote, local: bytes, imm: 1 }],
      };
    },
  });
  const run = await finishLab(lab, { params });
  const overwritten = run.results.figures.overwritten!.value;
  expect(overwritten).toBeGreaterThan(0);
  expect(run.answer).toContain('7 checks failed');
  expect(failedChecks(run).sort()).toEqual([
    'credits',
    'intact',
    'order',
    'overflow',
    'results',
    'rnr',
    'zero-length',
  ]);
});
