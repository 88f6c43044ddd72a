import { describe, expect, it } from 'vitest';
import { figures, runLab, unmet } from './helpers/lab-run.js';

describe('datagrams and their GRH', () => {
  it('gives no message to a buffer without room for the GRH', async () => {
    const lab = await runLab('ud-grh', { spare: 39 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.find(({ id }) => id === 'too-short')?.applies).toBeUndefined();
    expect(figures(lab)).toMatchObject({ buffer: 103, 'byte-len': null });
  });
});
