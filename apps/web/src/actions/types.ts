import type { Moment } from '@verbslab/protocol';
import type { OfferedName } from './table';

/** A key press, as the dispatcher passes it to `keyTest`. */
export interface KeyPress {
  key: string;
  /** The prefix key pressed just before ("g"), or null. */
  prefix: string | null;
  /** Ctrl or Cmd. */
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

/** Something on the page that can be pinned to its top. */
export interface Pin {
  id: string;
  kind: 'panel' | 'track';
  title: string;
  pinned: boolean;
  toggle: () => void;
}

/** A paired host on the page, with the actions that it allows now. */
export interface HostHandle {
  name: string;
  checkPath?: () => void;
  remove?: () => void;
}

/**
 * Actions of the open page by name, for the keyboard, the palette and the page's own buttons. A missing action is not
 * available here or not now.
 */
export type PageHandle = Partial<Record<Exclude<OfferedName, 'write-note'>, () => void>> & {
  /** Starts a note on the run, and attaches it to the moment if there is one. */
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
}

export type ActionGroup = 'Go' | 'Run' | 'View' | 'List';

/** A user action. The table of these fills the palette, the shortcuts and the key sheet. */
export interface Action {
  name: string;
  label: string;
  /** Label of the button on the page that the action belongs to; default: `label`. */
  button?: string;
  group: ActionGroup;
  keywords: string;
  /** Keys as the key sheet shows them, with spaces between the keys of a sequence. */
  keys?: string;
  /**
   * Meaning of a term or a counter, shown below its name. It has no page of its own: choosing it searches for its name.
   */
  meaning?: string;
  perform: (ctx: ActionContext) => void;
  /** False if the action makes no sense now: it is neither listed nor run. */
  predicate?: (ctx: ActionContext) => boolean;
  keyTest?: (press: KeyPress) => boolean;
  /** True if the action also runs while the focus is in a text field. */
  inFields?: boolean;
}

const PRINTED: Readonly<Record<string, string>> = { Escape: 'Esc', ' ': 'Space' };

/** Printed form and test for a key without modifiers, after the prefix "g" or without a prefix. */
export const byKey = (key: string, prefix: 'g' | null = null): Pick<Action, 'keys' | 'keyTest'> => ({
  keys: [prefix, PRINTED[key] ?? key].filter(Boolean).join(' '),
  keyTest: (p) => p.key === key && p.prefix === prefix && !p.mod && !p.alt,
});
