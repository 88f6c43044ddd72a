import { RNR_TIMER_US } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, outcomes, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('the states of a QP', () => {
  it('repairs a loss and reads with the usual values', async () => {
    const lab = await runLab('qp-states', { timeout: 10, minRnrTimer: 12, maxRdAtomic: 1 });
    expect(unmet(lab)).toEqual([]);
    const found = figures(lab);
    expect(found['after-loss']).toBeGreaterThanOrEqual(4.096 * 1.024);
    expect(found['rnr-code']).toBe(RNR_TIMER_US[12]! / 1000);
    expect(outcomes(lab)['lost-packet']).toBe('repeats');
  });

  it.each([
    ['reads in spite of max_rd_atomic 0', 1],
    ['never reads', 0],
  ])('notice a device that %s', async (_, given) => {
    const other = meddle('client', 'connectQp', (args) =>
      args.options?.maxRdAtomic === undefined
        ? args
        : { ...args, options: { ...args.options, maxRdAtomic: given } },
    );
    const params = { timeout: 10, minRnrTimer: 12, maxRdAtomic: 0 };
    expect(await unmetUnder([other], 'qp-states', params)).toEqual(['rd-atomic']);
  });
});
