import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const encapsulations = findLab('encapsulations');

it('notices a packet that is not what its headers say', async () => {
  const lab = tampered(encapsulations, {
    result: (op, result) => {
      if (op !== 'tap.stop' || !('list' in result)) return result;
      // Four bytes more, and another byte in the place of the opcode.
      const list = result.list.map((packet) => {
        const hex = packet.hex ?? '';
        return { ...packet, hex: `${hex.slice(0, 56)}ff${hex.slice(58)}00000000` };
      });
      return { ...result, list };
    },
  });
  expect(failedChecks(await finishLab(lab)).sort()).toEqual(['captured', 'decoded']);
});

it('adds up with pad, over UDP', async () => {
  const { results, checks } = await finishLab(encapsulations, { params: { size: 30, link: 'udp' } });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const parts = results.tables.headers!.filter(({ header }) => /pad/i.test(String(header)));
  expect(parts.map(({ kind, size }) => [kind, size])).toEqual([
    ['InfiniBand', 2],
    ['RoCE v1', 2],
    ['RoCE v2', 2],
    ['iWARP', 2],
  ]);
});
