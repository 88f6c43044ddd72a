'use client';
import { NotesSection } from '../../../notebook/notes-section';
import { RunPage } from '../../../run/run-page';

/** Page of a run, with its notes. */
export function Run() {
  return <RunPage notes={(view) => <NotesSection view={view} />} />;
}
