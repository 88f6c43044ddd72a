import { drawSelfChecks, findLab, labCode, labText } from '@verbslab/labs';
import type { LabPageProps } from '../lab-page';
import { glossed } from '../../parts/text/glossed';

/** Sets of numbers for the questions. */
const SETS = 12;

/**
 * Texts of a lab's page beside its form. They are read when the pages are built, so that pages include neither a
 * Markdown parser nor the procedure of a lab.
 */
export function readingOf(id: string): Pick<LabPageProps, 'text' | 'checks' | 'code' | 'withoutProgram'> {
  const text = labText(id);
  const { selfChecks, withoutProgram } = findLab(id);
  return {
    text: text && glossed(text),
    checks: Array.from({ length: SETS }, (_, seed) => drawSelfChecks(selfChecks, seed)),
    code: labCode(id),
    withoutProgram,
  };
}
