import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

describe('WRITE with immediate', () => {
  it.each(LINKS)('on the link %s: notifies, waits for a late RECV, and fails without one', async (link) => {
    const lab = await runLab('write-imm', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(figures(lab)).toMatchObject({ immediate: 0x12345678, 'never-status': 13, tries: 3 });
    expect(rows(lab, 'order').map(({ value }) => value)).toEqual(['0x12345678', '12 34 56 78', '0x78563412']);
    expect(rows(lab, 'messages').map(({ status, noticed }) => [status, noticed])).toEqual([
      ['SUCCESS', 0],
      ['SUCCESS', 1],
      ['SUCCESS', 1],
      ['RNR_RETRY_EXC_ERR', 0],
    ]);
    expect(outcomes(lab)).toEqual({ 'data-lands': 'address', 'missing-recv': 'retries' });
  });

  it('fails at once with rnr_retry 0, and carries every immediate', async () => {
    const lab = await runLab('write-imm', { rnrRetry: 0, immediate: 0xffff_ffff, size: 256 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab)).toMatchObject({ immediate: 0xffff_ffff, tries: 1 });
    expect(outcomes(lab)['missing-recv']).toBe('fails');
  });
});
