import { RNR_TIMER_US } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { figures, outcomes, runLab, unmet } from './helpers/lab-run.js';

describe('the states of a QP', () => {
  it('repairs a loss and reads with the usual values', async () => {
    const lab = await runLab('qp-states', { timeout: 10, minRnrTimer: 12, maxRdAtomic: 1 });
    expect(unmet(lab)).toEqual([]);
    const found = figures(lab);
    expect(found['after-loss']).toBeGreaterThanOrEqual(4.096 * 1.024);
    expect(found['rnr-code']).toBe(RNR_TIMER_US[12]! / 1000);
    expect(outcomes(lab)['lost-packet']).toBe('repeats');
  });
});
