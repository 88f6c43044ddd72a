import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const acknowledgments = findLab('acknowledgments');
const SHORT = { messages: 32, largest: 4, repeat: 1 };

it('notices a wrong MSN, packets that ask for no ACK, a PSN that is skipped, and ACKs that are missing', async () => {
  const lab = tampered(acknowledgments, {
    result: (op, result) => {
      if (op !== 'tap.flush' || !('list' in result)) return result;
      const list = result.list
        .filter(({ psn }) => psn !== 0)
        .map((packet) => ({ ...packet, ackReq: false, ...(packet.msn ? { msn: packet.msn + 1 } : {}) }));
      return { ...result, list };
    },
  });
  expect(failedChecks(await finishLab(lab, { params: SHORT })).sort()).toEqual([
    'asked',
    'msn',
    'one-each',
    'reads',
    'wrap',
  ]);
});

it('holds with several packets per WRITE', async () => {
  const { results, checks } = await finishLab(acknowledgments, { params: { ...SHORT, size: 3000 } });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.tables.windows?.map(({ packets }) => packets)).toEqual([96, 96, 96]);
});
