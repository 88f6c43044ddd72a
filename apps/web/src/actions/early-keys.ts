'use client';
import { create } from 'zustand';

/** Keys pressed in the palette before its code arrived. */
interface EarlyKeys {
  text: string;
  /** Presses of Down minus presses of Up since the text last changed. */
  moves: number;
  /** Enter was pressed; later keys are ignored. */
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

/** The item that is `moves` places after the first one and wraps around at both ends; undefined in an empty list. */
export function itemAfter<T>(items: readonly T[], moves: number): T | undefined {
  return items.at(moves % (items.length || 1));
}
