import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';
import { figures, outcomes, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { messages: 20, repeat: 2 };

describe('polling or events', () => {
  it('never sleeps within a budget that no gap exceeds', async () => {
    const lab = await runLab('polling-events', { ...SHORT, repeat: 1, gap: 0, budget: 100_000 });
    expect(unmet(lab)).toEqual([]);
    expect(outcomes(lab).adaptive).toBe('polls');
  });

  it.each([
    { what: 'cannot tell of a server that never had to sleep', arms: 0, failed: [], busy: ['events'] },
    { what: 'fails for arms that led to nothing', arms: 1, failed: ['events'], busy: [] },
  ])('$what', async ({ arms, failed, busy }) => {
    let event = false;
    const lab = tampered(findLab('polling-events'), {
      args: (op, args) => {
        if (op === 'answerMessages') event = 'wait' in args && args.wait === 'event';
        return args;
      },
      result: (op, result) =>
        op === 'answerMessages' && event && 'sleeps' in result
          ? { ...result, sleeps: 0, events: 0, rechecks: 1, arms: 1 + arms }
          : result,
    });
    const run = await finishLab(lab, { params: { ...SHORT, repeat: 1 } });
    expect([failedChecks(run), tooBusyChecks(run)]).toEqual([failed, busy]);
  });

  it('costs a polling server the gaps, and a sleeping one not', async () => {
    const gap = 20_000;
    const lab = await runLab('polling-events', { ...SHORT, repeat: 5, gap });
    const { 'poll-cpu': polling, 'event-cpu': asleep } = figures(lab);
    const { cpu, adaptive } = outcomes(lab);
    expect(asleep).toBeLessThan(polling!);
    expect(adaptive).toBe('sleeps');
    expect(cpu).not.toBe('more');
    // A poller that other programs kept from its CPU for most of the gap does not show what polling costs.
    if (polling! > gap / 2) expect([cpu, asleep! < polling! / 2]).toEqual(['less', true]);
  });
});
