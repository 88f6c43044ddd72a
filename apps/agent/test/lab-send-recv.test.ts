import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

describe('SEND and RECV', () => {
  it.each(LINKS)('take RECVs in order, and end where one does not fit (link %s)', async (link) => {
    const lab = await runLab('send-recv', { link, size: 100, messages: 3 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(8);
    expect(rows(lab, 'messages')).toEqual([
      { message: 1, sent: 100, recv: 100, received: 100, data: 'the same' },
      { message: 2, sent: 50, recv: 101, received: 50, data: 'the same' },
      { message: 3, sent: 0, recv: 102, received: 0, data: 'the same' },
    ]);
    expect(rows(lab, 'refused')).toEqual([
      { case: '99 B for a message of 100 B', client: '9 REM_INV_REQ_ERR', server: '1 LOC_LEN_ERR' },
      { case: 'None, with rnr_retry 0', client: '13 RNR_RETRY_EXC_ERR', server: 'no completion' },
    ]);
    expect(outcomes(lab)).toEqual({ 'short-message': 'one', 'too-small': 'both' });
    expect(figures(lab)['naks-credits']).toBe(0);
    expect(figures(lab).naks).toBeGreaterThan(0);
  });

  it('refuses more RECVs than the burst has messages', async () => {
    await expect(runLab('send-recv', { recvs: 4 })).rejects.toMatchObject({ code: 'BAD_PARAM' });
  });
});
