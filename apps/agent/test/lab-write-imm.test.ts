import { describe, expect, it } from 'vitest';
import { figures, outcomes, runLab, unmet } from './helpers/lab-run.js';

describe('WRITE with immediate', () => {
  it('fails at once with rnr_retry 0, and carries every immediate', async () => {
    const lab = await runLab('write-imm', { rnrRetry: 0, immediate: 0xffff_ffff, size: 256 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab)).toMatchObject({ immediate: 0xffff_ffff, tries: 1 });
    expect(outcomes(lab)['missing-recv']).toBe('fails');
  });
});
