import { allSteps } from './all-steps';
import { cancelRun } from './cancel-run';
import { compareRuns } from './compare-runs';
import { deleteSelected } from './delete-selected';
import { exportRun } from './export-run';
import { goHome } from './go-home';
import { goHosts } from './go-hosts';
import { goLabs } from './go-labs';
import { goNotebook } from './go-notebook';
import { goPackets } from './go-packets';
import { goRuns } from './go-runs';
import { importRun } from './import-run';
import { joinRun } from './join-run';
import { nextItem } from './next-item';
import { nextStep } from './next-step';
import { openFile } from './open-file';
import { openPalette } from './open-palette';
import { pauseView } from './pause-view';
import { previousItem } from './previous-item';
import { resetLayout } from './reset-layout';
import { runLab } from './run-lab';
import { selectItem } from './select-item';
import { separateRun } from './separate-run';
import { showKeys } from './show-keys';
import { systemTheme } from './system-theme';
import { takeTour } from './take-tour';
import { toggleTables } from './toggle-tables';
import { toggleTheme } from './toggle-theme';
import { writeNote } from './write-note';
import type { Action, ActionContext, KeyPress } from './types';

/** The one action table. Add a file, add a line. */
export const ACTIONS: readonly Action[] = [
  goHome,
  goLabs,
  goRuns,
  goPackets,
  goNotebook,
  goHosts,
  runLab,
  nextStep,
  allSteps,
  cancelRun,
  joinRun,
  separateRun,
  ...exportRun,
  writeNote,
  openFile,
  pauseView,
  toggleTables,
  resetLayout,
  toggleTheme,
  systemTheme,
  openPalette,
  showKeys,
  takeTour,
  nextItem,
  previousItem,
  selectItem,
  compareRuns,
  deleteSelected,
  importRun,
];

export function available(ctx: ActionContext, actions: readonly Action[] = ACTIONS): Action[] {
  return actions.filter((a) => a.predicate?.(ctx) ?? true);
}

/** The action that a key press means here and now, or null. */
export function match(press: KeyPress, ctx: ActionContext, inField: boolean): Action | null {
  for (const a of ACTIONS) {
    if (inField && !a.inFields) continue;
    if (a.keyTest?.(press) && (a.predicate?.(ctx) ?? true)) return a;
  }
  return null;
}

/** Keys that begin a sequence. */
export const PREFIXES: ReadonlySet<string> = new Set(['g']);
