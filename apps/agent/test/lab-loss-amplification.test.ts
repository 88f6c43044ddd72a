import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const amplification = findLab('loss-amplification');
const SHORT = { messages: 100, largest: 4, repeat: 1 };

it('notices counters that say something else, more than a window, and bytes that are missing', async () => {
  let reads = 0;
  const lab = tampered(amplification, {
    result: (op, result, endpoint) => {
      if (op === 'hashMemory' && endpoint === 'server') return { ...result, sha256: 'other' };
      if (op !== 'counters' || !('values' in result)) return result;
      // The requester never goes back, and each reading finds one more packet retransmitted.
      const { retransmitted_pkts = 0 } = result.values;
      return {
        ...result,
        values: {
          ...result.values,
          completer_retry_err: 0,
          retransmitted_pkts: retransmitted_pkts + reads++,
        },
      };
    },
  });
  expect(failedChecks(await finishLab(lab, { params: SHORT })).sort()).toEqual([
    'arrived',
    'bounded',
    'counted',
  ]);
});
