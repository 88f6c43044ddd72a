/** The map of labs: a row for each track, and how far a reader has come. */
import { trackTitle, type LabDescription, type LabProgress } from '@verbslab/protocol';
import { progressOf } from './progress';

/** Place of a lab on the map. */
export interface LabPlace {
  id: string;
  /** At most two words or so. */
  short: string;
  question: string;
  why: string | null;
  /** Labs that explain what this one takes for granted, by id. */
  buildsOn: readonly string[];
}

export interface MapRow {
  track: string;
  places: LabPlace[];
}

/** `done`: was run; `ready`: all that it builds on is done; `later`: it builds on a lab that is not done. */
export type Standing = 'done' | 'ready' | 'later';

export function mapOf(labs: readonly LabDescription[]): MapRow[] {
  const rows: MapRow[] = [];
  for (const { id, title, short = title, question, why = null, buildsOn = [], track } of labs) {
    const place = { id, short, question, why, buildsOn };
    const name = trackTitle(track);
    const row = rows.find((one) => one.track === name);
    if (row) row.places.push(place);
    else rows.push({ track: name, places: [place] });
  }
  return rows;
}

export const isDone = (progress: readonly LabProgress[], lab: string): boolean =>
  (progressOf(progress, lab)?.runs ?? 0) > 0;

export function standingOf({ id, buildsOn }: LabPlace, progress: readonly LabProgress[]): Standing {
  if (isDone(progress, id)) return 'done';
  return buildsOn.every((lab) => isDone(progress, lab)) ? 'ready' : 'later';
}
