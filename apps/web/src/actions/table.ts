import { addHost } from './add-host';
import { allSteps } from './all-steps';
import { cancelMachines } from './cancel-machines';
import { cancelRun } from './cancel-run';
import { cancelSweep } from './cancel-sweep';
import { checkPath } from './check-path';
import { clearFilter } from './clear-filter';
import { clearSelection } from './clear-selection';
import { compareRuns } from './compare-runs';
import { deleteSelected } from './delete-selected';
import { downloadSweep } from './download-sweep';
import { exportRun } from './export-run';
import { focusFilter } from './focus-filter';
import { goExercises } from './go-exercises';
import { goExplanations } from './go-explanations';
import { goHome } from './go-home';
import { goHosts } from './go-hosts';
import { goLabs } from './go-labs';
import { goNotebook } from './go-notebook';
import { goPackets } from './go-packets';
import { goRuns } from './go-runs';
import { goSetUp } from './go-set-up';
import { goSweeps } from './go-sweeps';
import { goTools } from './go-tools';
import { goWorkbench } from './go-workbench';
import { importRun } from './import-run';
import { joinRun } from './join-run';
import { nextItem } from './next-item';
import { nextStep } from './next-step';
import { openFile } from './open-file';
import { openPalette } from './open-palette';
import { pauseSweep } from './pause-sweep';
import { pauseView } from './pause-view';
import { previousItem } from './previous-item';
import { refreshDevices } from './refresh-devices';
import { removeHost } from './remove-host';
import { resetLayout } from './reset-layout';
import { resumeSweep } from './resume-sweep';
import { runLab } from './run-lab';
import { selectItem } from './select-item';
import { separateRun } from './separate-run';
import { showKeys } from './show-keys';
import { startMachines } from './start-machines';
import { startSweep } from './start-sweep';
import { stopMachines } from './stop-machines';
import { systemTheme } from './system-theme';
import { takeTour } from './take-tour';
import { togglePin } from './toggle-pin';
import { toggleFaults } from './toggle-faults';
import { toggleTables } from './toggle-tables';
import { toggleTheme } from './toggle-theme';
import { writeNote } from './write-note';
import type { Action, ActionContext, KeyPress } from './types';

/** The one action table. Add a file, add a line. */
export const ACTIONS: readonly Action[] = [
  goHome,
  goLabs,
  goExercises,
  goExplanations,
  goTools,
  goWorkbench,
  goRuns,
  goSweeps,
  goPackets,
  goNotebook,
  goHosts,
  goSetUp,
  addHost,
  runLab,
  nextStep,
  allSteps,
  cancelRun,
  toggleFaults,
  joinRun,
  separateRun,
  startSweep,
  pauseSweep,
  resumeSweep,
  cancelSweep,
  downloadSweep,
  startMachines,
  cancelMachines,
  stopMachines,
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
  focusFilter,
  clearFilter,
  clearSelection,
  compareRuns,
  deleteSelected,
  importRun,
  refreshDevices,
];

/** Actions that there are once for each thing of its kind on the page. */
const OF_EACH: readonly ((ctx: ActionContext) => Action[])[] = [checkPath, removeHost, togglePin];

export function available(
  ctx: ActionContext,
  actions: readonly Action[] = [...ACTIONS, ...OF_EACH.flatMap((each) => each(ctx))],
): Action[] {
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
