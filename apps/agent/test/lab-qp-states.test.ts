import { RNR_TIMER_US } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

describe('the states of a QP', () => {
  it.each(LINKS)('on the link %s: every mistake is refused, and zeros are long', async (link) => {
    const lab = await runLab('qp-states', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    const calls = rows(lab, 'calls');
    const granted = calls.filter(({ answer }) => answer === 'Granted.');
    expect(granted.map(({ to }) => to)).toEqual(['INIT', 'RTR', 'RTS', 'ERR', 'RESET']);
    expect(granted.slice(0, 3).map(({ mask }) => mask)).toEqual(['0x39', '0x129181', '0x12e01']);
    for (const { answer, from, to } of calls)
      if (answer !== 'Granted.')
        expect([to, String(answer)]).toEqual([from, expect.stringContaining('EINVAL')]);
    const found = figures(lab);
    expect(found).toMatchObject({ refused: 20, 'rnr-code': 655.36, 'after-loss': null });
    expect(found['rnr-wait']).toBeGreaterThanOrEqual(655.36);
    expect(outcomes(lab)).toEqual({ skip: 'refused', 'lost-packet': 'never' });
  });

  it('repairs a loss and reads with the usual values', async () => {
    const lab = await runLab('qp-states', { timeout: 10, minRnrTimer: 12, maxRdAtomic: 1 });
    expect(unmet(lab)).toEqual([]);
    const found = figures(lab);
    expect(found['after-loss']).toBeGreaterThanOrEqual(4.096 * 1.024);
    expect(found['rnr-code']).toBe(RNR_TIMER_US[12]! / 1000);
    expect(outcomes(lab)['lost-packet']).toBe('repeats');
  });
});
