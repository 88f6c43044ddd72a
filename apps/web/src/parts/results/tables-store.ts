'use client';
import { create } from 'zustand';

interface TablesShown {
  shown: boolean;
  toggle: () => void;
}

/** Switch for the tables behind result curves, shared by all pages with results. */
export const useResultTables = create<TablesShown>((set) => ({
  shown: false,
  toggle: () => set(({ shown }) => ({ shown: !shown })),
}));
