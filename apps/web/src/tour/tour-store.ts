'use client';
import { create } from 'zustand';
import { STOPS } from './stops';

interface TourStore {
  /** The stop that is shown; null while nobody takes the tour. */
  stop: number | null;
  start: () => void;
  leave: () => void;
  /** One stop on or back; past the last one it ends. */
  move: (by: 1 | -1) => void;
}

export const useTour = create<TourStore>((set) => ({
  stop: null,
  start: () => set({ stop: 0 }),
  leave: () => set({ stop: null }),
  move: (by) =>
    set(({ stop }) => {
      if (stop === null) return {};
      const next = Math.max(0, stop + by);
      return { stop: next < STOPS.length ? next : null };
    }),
}));
