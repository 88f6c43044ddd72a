import type { Moment } from '@verbslab/protocol';

/** One key press as the dispatcher hands it to `keyTest`. */
export interface KeyPress {
  key: string;
  /** The prefix key pressed just before ("g"), or null. */
  prefix: string | null;
  /** Ctrl or Cmd. */
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

/** Something on the page that can be kept at its top. */
export interface Pin {
  id: string;
  kind: 'panel' | 'track';
  title: string;
  pinned: boolean;
  toggle: () => void;
}

/** A paired host on the page, and what can be done with it now. */
export interface HostHandle {
  name: string;
  checkPath?: () => void;
  remove?: () => void;
}

/** What the open page lets the keyboard, the palette and its own buttons do. Absent means: not here, not now. */
export interface PageHandle {
  /** Start the lab whose form is shown, or the same run again. */
  run?: () => void;
  nextStep?: () => void;
  allSteps?: () => void;
  cancel?: () => void;
  togglePause?: () => void;
  toggleTables?: () => void;
  /** Shows or hides what is injected into a run in progress. */
  toggleFaults?: () => void;
  /** Exports the run, by the formats that it has. */
  exports?: Readonly<Record<string, () => void>>;
  importRun?: () => void;
  resetLayout?: () => void;
  openFile?: () => void;
  move?: (by: 1 | -1) => void;
  /** Ticks or unticks the item that the keys are at. */
  selectItem?: () => void;
  deleteSelected?: () => void;
  /** Compare the selected runs, or this run with others. */
  compare?: () => void;
  /** Join this run of a program with another, or take a joined one apart. */
  join?: () => void;
  separate?: () => void;
  /** Begins a note on the run, about a moment of it where one is given. */
  writeNote?: (moment?: Moment) => void;
  /** Goes to the form. */
  addHost?: () => void;
  refreshDevices?: () => void;
  hosts?: readonly HostHandle[];
  /** Goes to where the list of the page is searched or filtered. */
  focusFilter?: () => void;
  clearFilter?: () => void;
  clearSelection?: () => void;
  pins?: readonly Pin[];
  startSweep?: () => void;
  pauseSweep?: () => void;
  resumeSweep?: () => void;
  cancelSweep?: () => void;
  downloadSweep?: () => void;
  /** The virtual machines of the agent's host. */
  startMachines?: () => void;
  stopMachines?: () => void;
  cancelMachines?: () => void;
}

export interface ActionContext {
  path: string;
  navigate: (href: string) => void;
  page: PageHandle;
  dark: boolean;
  setTheme: (theme: 'light' | 'dark' | 'system') => void;
  openPalette: () => void;
  openKeys: () => void;
  takeTour: () => void;
}

export type ActionGroup = 'Go' | 'Run' | 'View' | 'List';

/** One user action. The palette, the shortcuts and the key sheet are all drawn from the table of these. */
export interface Action {
  name: string;
  label: string;
  /** What its button says on the page that shows what it is about; default: the label. */
  button?: string;
  group: ActionGroup;
  keywords: string;
  /** As printed in the key sheet, keys of a sequence apart by a space. */
  keys?: string;
  /** What it says below its name: of a term or a counter, which have no page of their own. Choosing it searches for its name. */
  meaning?: string;
  perform: (ctx: ActionContext) => void;
  /** False when the action makes no sense now: it is neither listed nor run. */
  predicate?: (ctx: ActionContext) => boolean;
  keyTest?: (press: KeyPress) => boolean;
  /** Runs although the focus is in a text field. */
  inFields?: boolean;
}

/** A single key without modifiers and without a pending prefix. */
export function plain(key: string): (p: KeyPress) => boolean {
  return (p) => p.key === key && p.prefix === null && !p.mod && !p.alt;
}

/** A sequence of "g" and another key. */
export function go(key: string): (p: KeyPress) => boolean {
  return (p) => p.key === key && p.prefix === 'g' && !p.mod && !p.alt;
}
