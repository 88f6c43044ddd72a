import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

describe('datagrams and their GRH', () => {
  it.each(LINKS)('on the link %s: 104 bytes for 64, and an answer', async (link) => {
    const lab = await runLab('ud-grh', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.filter(({ applies }) => applies === false).map(({ id }) => id)).toEqual(['too-short']);
    expect(figures(lab)).toMatchObject({ buffer: 104, 'byte-len': 104, 'qkey-violations': 1 });
    expect(rows(lab, 'datagrams').map(({ byteLen }) => byteLen)).toEqual([104, null, null]);
    expect(outcomes(lab)).toEqual({ 'byte-length': 'both' });
  });

  it('gives no message to a buffer without room for the GRH', async () => {
    const lab = await runLab('ud-grh', { spare: 39 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.find(({ id }) => id === 'too-short')?.applies).toBeUndefined();
    expect(figures(lab)).toMatchObject({ buffer: 103, 'byte-len': null });
  });
});
