'use client';
import { create } from 'zustand';
import { STOPS } from './stops';

interface TourStore {
  /** Index of the current stop; null without a tour. */
  stop: number | null;
  start: () => void;
  leave: () => void;
  /** Moves a stop forward or back; moving past the last one ends the tour. */
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
