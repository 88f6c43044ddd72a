import { ID_FORM, type WorkbenchLanguage } from '@verbslab/protocol';

/** Parses the address of a task: its language, and a run of its program. */
export function readTaskQuery(query: string): { language: WorkbenchLanguage; run: string | null } {
  const read = new URLSearchParams(query);
  const run = read.get('run');
  return {
    language: read.get('language') === 'c' ? 'c' : 'typescript',
    run: run !== null && ID_FORM.test(run) ? run : null,
  };
}
