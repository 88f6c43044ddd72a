// Without schemas: pages ask for it.
import type { LabDescription } from './lab.js';

/** What stands as the lab of a run that `verbslab exec` registered. No lab may be called so. */
export const PROGRAM_LAB = 'program';

/** How such a run is shown. */
export const PROGRAM_VIEW: LabDescription = {
  id: PROGRAM_LAB,
  title: 'Program',
  question: 'What does this program do with RDMA?',
  summary:
    'A program under `verbslab exec`: its objects, queue pairs, work requests, completions and packets as they come, and how it misused verbs.',
  params: { type: 'object', properties: {} },
  roles: [],
  watch: ['objects', 'throughput', 'cpu', 'completions', 'work', 'traffic', 'counters', 'packets', 'misuse'],
  checks: [],
  needs: [],
  wants: [],
};

export function isProgram(run: { lab: string }): boolean {
  return run.lab === PROGRAM_LAB;
}

/** A command line as a person would type it. */
export function commandText(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
