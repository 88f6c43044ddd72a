import {
  drawSelfChecks,
  findLab,
  labCode,
  labText,
  LABS,
  type LabCode,
  type SelfCheck,
} from '@verbslab/labs';
import { TRACKS } from '@verbslab/protocol';
import { glossed, type ShownText } from '../../parts/text/glossed';
import { termsOfLab } from '../../parts/text/plain';
import type { TermId } from '../../ui/terms';

/** Sets of numbers for the questions. */
const SETS = 12;

/** Place of a lab in the catalog. */
export interface LabPlace {
  track: string;
  /** Position in the track, from 1, and number of labs of the track. */
  at: number;
  of: number;
  /** The lab that follows in the track, or else in the catalog. */
  next: { id: string; title: string } | null;
}

/** Texts of a lab's page beside its form. */
export interface LabReading {
  place: LabPlace | null;
  /** Null for a lab without text. */
  text: ShownText | null;
  /** Terms of the field in all texts of the page, in the order of appearance. */
  terms: readonly TermId[];
  /** Self-checks with different numbers. */
  checks: readonly (readonly SelfCheck[])[];
  /** The lab as a program, in each available language. */
  code: readonly LabCode[];
  /** Reason why the lab has no program; null if it has one. */
  withoutProgram: string | null;
}

function placeOf(id: string): LabPlace | null {
  const all = LABS.map(({ description }) => description);
  const lab = all.find((one) => one.id === id);
  const track = TRACKS.find((one) => one.id === lab?.track);
  if (!lab || !track) return null;
  const beside = all.filter((one) => one.track === track.id);
  const at = beside.indexOf(lab);
  const next = beside[at + 1] ?? all[all.indexOf(lab) + 1];
  return {
    ...{ track: track.title, at: at + 1, of: beside.length },
    next: next ? { id: next.id, title: next.short ?? next.title } : null,
  };
}

/**
 * Reads the texts of a lab. This is done when the pages are built, so that pages include neither a Markdown parser nor the
 * procedure of a lab.
 */
export function readingOf(id: string): LabReading {
  const found = labText(id);
  const text = found && glossed(found);
  const { description, selfChecks, withoutProgram } = findLab(id);
  return {
    place: placeOf(id),
    text,
    terms: termsOfLab(description, found),
    checks: Array.from({ length: SETS }, (_, seed) => drawSelfChecks(selfChecks, seed)),
    code: labCode(id),
    withoutProgram,
  };
}
