import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const segmentation = findLab('segmentation');

it('notices packets that are longer, split or numbered otherwise, and bytes that are missing', async () => {
  const lab = tampered(segmentation, {
    result: (op, result, endpoint) => {
      if (op === 'hashMemory' && endpoint === 'server') return { ...result, sha256: 'other' };
      if (op !== 'tap.flush' || !('list' in result)) return result;
      // WRITE Middle packets vanish, which leaves a gap in the PSNs, and all packets grow by a byte.
      const list = result.list
        .filter(({ opcode }) => opcode !== 7)
        .map((packet) => ({ ...packet, length: (packet.length ?? 0) + 1 }));
      return { ...result, list };
    },
  });
  expect(failedChecks(await finishLab(lab, { params: { long: 1024 } })).sort()).toEqual([
    'arrived',
    'cut',
    'psns',
    'sizes',
  ]);
});

it('splits at the path MTU that was chosen, over either link', async () => {
  const { results, checks } = await finishLab(segmentation, {
    params: { size: 1024, mtu: '256', long: 64, link: 'udp' },
  });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.figures['read-responses']?.value).toBe(4);
  expect(results.figures.share?.value).toBeCloseTo((100 * 64) / (64 + 44 + 16 + 38), 9);
});
