import { describe, expect, it } from 'vitest';
import { figures, LINKS, rows, runLab, unmet } from './helpers/lab-run.js';

const way = (lab: Awaited<ReturnType<typeof runLab>>, name: string) =>
  rows(lab, 'ways').find((row) => row.way === name)!;

describe('atomics', () => {
  it.each(LINKS)('lose nothing where READ and WRITE do (link %s)', async (link) => {
    const lab = await runLab('atomics', { link, clients: 4, increments: 10 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(6);
    expect(way(lab, 'FETCH_ADD')).toMatchObject({ increments: 40, counter: 40, lost: 0, requests: 40 });
    expect(way(lab, 'READ, then WRITE')).toMatchObject({ counter: 10, lost: 30, requests: 80 });
    const swapped = way(lab, 'READ, then CMP_SWAP');
    expect(swapped).toMatchObject({ counter: 40, lost: 0 });
    // A READ per client, and at least one swap per increment.
    expect(swapped.requests).toBeGreaterThanOrEqual(44);
    expect(figures(lab)).toMatchObject({ lost: 30, misaligned: 9, 'no-right': 10 });
    expect(figures(lab).swaps).toBe(((swapped.requests as number) - 4) / 40);
    expect(rows(lab, 'refused').map(({ counter }) => counter)).toEqual(['as before', 'as before']);
    expect(rows(lab, 'times').map(({ operation, n }) => [operation, n])).toEqual([
      ['FETCH_ADD', 25],
      ['READ', 25],
      ['WRITE', 25],
    ]);
  });

  it('has one endpoint per client, and refuses a number beyond its range', async () => {
    const lab = await runLab('atomics', { clients: 2, increments: 1 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab).lost).toBe(1);
    await expect(runLab('atomics', { clients: 9 })).rejects.toMatchObject({ code: 'BAD_PARAM' });
  });
});
