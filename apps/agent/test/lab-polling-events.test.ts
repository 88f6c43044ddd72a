import { describe, expect, it } from 'vitest';
import { figures, outcomes, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { messages: 20, repeat: 2 };

describe('polling or events', () => {
  it('never sleeps within a budget that no gap exceeds', async () => {
    const lab = await runLab('polling-events', { ...SHORT, repeat: 1, gap: 0, budget: 100_000 });
    expect(unmet(lab)).toEqual([]);
    expect(outcomes(lab).adaptive).toBe('polls');
  });

  it('costs a polling server the gaps, and a sleeping one not', async () => {
    const lab = await runLab('polling-events', { ...SHORT, repeat: 5, gap: 20_000 });
    const { 'poll-cpu': polling, 'event-cpu': asleep } = figures(lab);
    expect(asleep).toBeLessThan(polling! / 2);
    expect(outcomes(lab)).toMatchObject({ cpu: 'less', adaptive: 'sleeps' });
  });
});
