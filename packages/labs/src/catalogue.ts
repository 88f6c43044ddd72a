import { AppError } from '@verbslab/protocol';
import { bulk } from './bulk/index.js';
import type { Lab } from './define.js';
import { minimalFlow } from './minimal-flow/index.js';

/** Every lab, in the order in which lists show them. */
export const LABS: readonly Lab[] = [minimalFlow, bulk];

/** Throws AppError UNKNOWN_LAB. */
export function findLab(id: string): Lab {
  const lab = LABS.find(({ description }) => description.id === id);
  if (!lab)
    throw new AppError('UNKNOWN_LAB', {
      lab: id,
      known: LABS.map(({ description }) => description.id).join(', '),
    });
  return lab;
}
