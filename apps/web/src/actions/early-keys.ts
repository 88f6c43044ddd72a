'use client';
import { create } from 'zustand';

/** What was pressed in the palette before its code arrived. */
interface EarlyKeys {
  text: string;
  /** Down minus up, since the text last changed. */
  moves: number;
  /** Enter was pressed: nothing counts after it. */
  entered: boolean;
  type: (text: string) => void;
  press: (key: string) => boolean;
  clear: () => void;
}

const NONE = { text: '', moves: 0, entered: false };
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export const useEarlyKeys = create<EarlyKeys>((set, get) => ({
  ...NONE,
  type: (text) => {
    if (!get().entered) set({ text, moves: 0 });
  },
  /** True for a key that the palette would act on. */
  press: (key) => {
    const move = MOVES[key];
    if (move === undefined && key !== 'Enter') return false;
    if (!get().entered) set(move === undefined ? { entered: true } : { moves: get().moves + move });
    return true;
  },
  clear: () => set(NONE),
}));

/** The item that so many moves lead to from the first one, around both ends; undefined when there is none. */
export function itemAfter<T>(items: readonly T[], moves: number): T | undefined {
  return items.at(moves % (items.length || 1));
}
