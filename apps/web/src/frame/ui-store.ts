'use client';
import { create } from 'zustand';
import { useEarlyKeys } from './early-keys';

/** What lies over the page and has the keyboard to itself. */
type Overlay = 'none' | 'palette' | 'keys' | 'cancel' | 'join' | 'separate';

interface UiStore {
  overlay: Overlay;
  open: (overlay: Exclude<Overlay, 'none'>) => void;
  close: () => void;
}

export const useUi = create<UiStore>((set, get) => ({
  overlay: 'none',
  open: (overlay) => {
    if (get().overlay !== overlay) useEarlyKeys.getState().clear();
    set({ overlay });
  },
  close: () => set({ overlay: 'none' }),
}));
