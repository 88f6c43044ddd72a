import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { messages: 20, repeat: 2 };
const ROUNDS = 2 * (20 + 10);

describe('polling or events', () => {
  it.each(LINKS)('waits in three ways, and for two events that never come (link %s)', async (link) => {
    const lab = await runLab('polling-events', { ...SHORT, link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.map(({ id }) => id).sort()).toEqual(['again', 'events', 'late', 'rearm', 'whole']);
    expect(outcomes(lab).forgotten).toBe('nothing');
    expect(figures(lab)).toMatchObject({ 'events-forgotten': 0, 'events-late': 0 });
    const [poll, event, adaptive] = rows(lab, 'counts') as Record<string, number>[];
    expect(poll).toMatchObject({ messages: ROUNDS, arms: 0, rechecks: 0, sleeps: 0, events: 0 });
    for (const { arms, rechecks, sleeps } of [event!, adaptive!]) expect(arms).toBe(rechecks! + sleeps!);
    expect(event!.sleeps).toBeGreaterThan(0);
    const ways = rows(lab, 'ways') as Record<string, number>[];
    expect(ways.map(({ n, p99 }) => [n, p99])).toEqual(Array(3).fill([40, null]));
    for (const { median, share } of ways) {
      expect(median).toBeGreaterThan(0);
      expect(share).toBeGreaterThan(0);
    }
  });

  it('never sleeps within a budget that no gap exceeds', async () => {
    const lab = await runLab('polling-events', { ...SHORT, repeat: 1, gap: 0, budget: 100_000 });
    expect(unmet(lab)).toEqual([]);
    expect(outcomes(lab).adaptive).toBe('polls');
  });

  it('costs a polling server the gaps, and a sleeping one not', async () => {
    const lab = await runLab('polling-events', { ...SHORT, gap: 20_000 });
    const { 'poll-cpu': polling, 'event-cpu': asleep } = figures(lab);
    expect(asleep).toBeLessThan(polling! / 2);
    expect(outcomes(lab)).toMatchObject({ cpu: 'less', adaptive: 'sleeps' });
  });

  it.each([
    [{ gap: 100_001 }, 'above the maximum of 100,000 µs'],
    [{ budget: 0 }, 'below the minimum of 1 µs'],
    [{ messages: 19 }, 'below the minimum of 20'],
  ])('refuses %o with the range', async (params, range) => {
    await expect(runLab('polling-events', params)).rejects.toThrow(range);
  });
});
