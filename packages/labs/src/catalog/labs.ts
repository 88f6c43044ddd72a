import { AppError, trackRank } from '@verbslab/protocol';
import type { Lab } from '../form/define.js';
import { FOUND } from '../generated/labs.js';

/** Every lab of a folder here, by track, in the order in which lists show them. */
export const LABS: readonly Lab[] = [...FOUND].sort(
  (a, b) =>
    trackRank(a.description.track) - trackRank(b.description.track) ||
    (a.order === b.order ? (a.description.id < b.description.id ? -1 : 1) : a.order - b.order),
);

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
