'use client';
import { create } from 'zustand';

/** What lies over the page and has the keyboard to itself. */
type Overlay = 'none' | 'palette' | 'keys' | 'cancel';

interface UiStore {
  overlay: Overlay;
  open: (overlay: Exclude<Overlay, 'none'>) => void;
  close: () => void;
}

export const useUi = create<UiStore>((set) => ({
  overlay: 'none',
  open: (overlay) => set({ overlay }),
  close: () => set({ overlay: 'none' }),
}));
