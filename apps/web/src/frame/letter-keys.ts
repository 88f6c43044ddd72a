import { create } from 'zustand';
import type { KeyPress } from '../actions/types';

const PLACE = 'verbslab.letter-keys';

function stored(): boolean {
  try {
    return localStorage.getItem(PLACE) !== 'off';
  } catch {
    // The browser's storage is not available.
    return true;
  }
}

interface LetterKeys {
  on: boolean;
  set: (on: boolean) => void;
}

/**
 * True if keys without Ctrl or Cmd trigger actions. Speech input types letters, and could trigger actions by accident.
 */
export const useLetterKeys = create<LetterKeys>((set) => ({
  on: typeof window === 'undefined' || stored(),
  set: (on) => {
    set({ on });
    try {
      localStorage.setItem(PLACE, on ? 'on' : 'off');
    } catch {
      // Without storage, the choice holds until the page is left.
    }
  },
}));

/** True for a letter, a digit or a sign without Ctrl, Cmd or Alt. */
export const isLetterKey = ({ key, mod, alt }: Pick<KeyPress, 'key' | 'mod' | 'alt'>): boolean =>
  !mod && !alt && [...key].length === 1 && key !== ' ';
