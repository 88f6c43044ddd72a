import { drawSelfChecks, findLab, labCode, labText } from '@verbslab/labs';
import type { LabPageProps } from '../lab-page';
import { glossed } from '../../parts/text/glossed';

/** Sets of numbers that the questions are asked with. */
const SETS = 12;

/** What a lab's page says beside its form. Read when the pages are built: neither the reader of Markdown nor a lab's procedure is in a page. */
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
