/** Labs of simulated fabrics. A simulation is the same on every machine, so exact figures are expected. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const livelock: Facts = {
  holds: ({ curves, figures, outcomes, rows, of }) => {
    // 256 − 14 packets of 4096 B get through in a row.
    expect(figures).toMatchObject({ zero: 0, limit: 242 * 4096, completed: 512 * 1024, 'until-nak': 14 });
    expect(figures['back-n']).toBeCloseTo(((242 / 256) * 100 * 4096) / 4178, 0);
    expect(figures.used).toBeGreaterThan(99);
    expect(outcomes.link).toBe('full');
    expect(rows('sizes')).toHaveLength(18);
    expect(curves.goodput).toHaveLength(36);
    const simulations = of('simulation');
    expect(simulations).toHaveLength(18);
    expect(simulations[0]).toMatchObject({
      title: 'Go-back-0, 16 KiB',
      fabric: { hosts: 2 },
      series: { samples: 100 },
    });
    for (const { mechanisms } of simulations)
      expect(mechanisms.find(({ name }) => name === 'link-loss')!.fired).toBeGreaterThan(40);
  },
};

export const FABRICS: Record<string, Facts> = { 'go-back-0-livelock': livelock };
