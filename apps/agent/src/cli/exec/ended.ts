// What is left of a program that has ended: reports, the library that it loaded, a line on its run.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFinal, problemsText, type RunRecord } from '@verbslab/protocol';

/** Folder for drafts of the reports of processes. Made before the program begins. */
export const draftsIn = (folder: string): string => join(folder, 'reports');

/** Prints the reports of processes that were killed before they could. A process that still runs prints its own. */
export function printDrafts(folder: string): void {
  const drafts = draftsIn(folder);
  const pids = readdirSync(drafts).filter((name) => /^\d+$/.test(name) && !existsSync(`/proc/${name}`));
  for (const pid of pids) process.stderr.write(readFileSync(join(drafts, pid)));
}

/**
 * The system's libibverbs or librdmacm that a process of the command loaded by name (native/uroce/paths/calls_load.cc).
 */
export function systemLibraryIn(folder: string): string | null {
  const note = join(folder, 'system-library');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

export function summaryOf({ number, state, result }: RunRecord, page: string): string {
  if (!isFinal(state)) return `Run ${number} continues: another command of it is still running.`;
  const problems = problemsText(result?.problems);
  const found = problems === '' ? '' : ` ${problems} found; see ${page} or verbslab runs show ${number}.`;
  return `Run ${number}: ${result?.answer ?? 'What the program did is unknown.'}${found}`;
}
