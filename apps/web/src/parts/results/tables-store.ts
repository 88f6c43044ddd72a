'use client';
import { create } from 'zustand';

interface TablesShown {
  shown: boolean;
  toggle: () => void;
}

/** Whether the tables behind the curves of results are shown, on whichever page shows results. */
export const useResultTables = create<TablesShown>((set) => ({
  shown: false,
  toggle: () => set(({ shown }) => ({ shown: !shown })),
}));
