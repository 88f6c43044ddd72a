/** Parameters that labs of simulated fabrics share. */
import { z } from 'zod';

export const seedParam = z
  .int()
  .min(1)
  .max(1_000_000)
  .default(1)
  .meta({ title: 'Seed', description: 'Of all that is random. The same seed gives the same figures.' });

export const seedsParam = (usual: number, most: number) =>
  z.int().min(1).max(most).default(usual).meta({
    title: 'Seeds',
    description: 'Each setting is simulated with so many seeds, from the seed above on.',
  });

/** The seeds of a run. */
export const seedsOf = ({ seed, seeds }: { seed: number; seeds: number }): number[] =>
  Array.from({ length: seeds }, (_, i) => seed + i);
