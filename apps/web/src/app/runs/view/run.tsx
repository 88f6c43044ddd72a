'use client';
import type { RunSession } from '../../../connection/run-sessions';
import { LabRun } from '../../../labs/lab-run';
import { NotesSection } from '../../../notebook/notes-section';
import { PANELS } from '../../../run/panel-list';
import { RunPage } from '../../../run/run-page';
import { LAB_PARTS } from '../../lab-parts';

const PANEL_IDS = PANELS.map(({ id }) => id);

const Lab = ({ session }: { session: RunSession }) => (
  <LabRun session={session} parts={LAB_PARTS} panels={PANEL_IDS} />
);

/** Page of a run, with its notes. */
export function Run() {
  return <RunPage notes={(view) => <NotesSection view={view} />} Lab={Lab} />;
}
