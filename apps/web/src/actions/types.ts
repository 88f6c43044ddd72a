import type { Moment } from '@verbslab/protocol';
import type { OfferedName } from './table';

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

/**
 * What the open page lets the keyboard, the palette and its own buttons do, by the names of the actions. Absent means:
 * not here, not now.
 */
export type PageHandle = Partial<Record<Exclude<OfferedName, 'write-note'>, () => void>> & {
  /** Begins a note on the run, about a moment of it where one is given. */
  'write-note'?: (moment?: Moment) => void;
  hosts?: readonly HostHandle[];
  pins?: readonly Pin[];
};

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

const PRINTED: Readonly<Record<string, string>> = { Escape: 'Esc', ' ': 'Space' };

/** A key without modifiers, after the prefix "g" or after none: how it is printed, and what it answers to. */
export const byKey = (key: string, prefix: 'g' | null = null): Pick<Action, 'keys' | 'keyTest'> => ({
  keys: [prefix, PRINTED[key] ?? key].filter(Boolean).join(' '),
  keyTest: (p) => p.key === key && p.prefix === prefix && !p.mod && !p.alt,
});
