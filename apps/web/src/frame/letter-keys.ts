import { create } from 'zustand';
import type { KeyPress } from '../actions/types';

const PLACE = 'verbslab.letter-keys';

function stored(): boolean {
  try {
    return localStorage.getItem(PLACE) !== 'off';
  } catch {
    // The browser keeps nothing for this page.
    return true;
  }
}

interface LetterKeys {
  on: boolean;
  set: (on: boolean) => void;
}

/** Whether keys without Ctrl or Cmd act. Speech input types letters, and so may set off what nobody asked for. */
export const useLetterKeys = create<LetterKeys>((set) => ({
  on: typeof window === 'undefined' || stored(),
  set: (on) => {
    set({ on });
    try {
      localStorage.setItem(PLACE, on ? 'on' : 'off');
    } catch {
      // It then holds until the page is left.
    }
  },
}));

/** A letter, a digit or a sign that is typed alone. */
export const isLetterKey = ({ key, mod, alt }: Pick<KeyPress, 'key' | 'mod' | 'alt'>): boolean =>
  !mod && !alt && [...key].length === 1 && key !== ' ';
