'use client';
import { create } from 'zustand';
import { useEarlyKeys } from './early-keys';

/** What lies over the page and has the keyboard to itself. */
type Overlay = 'none' | 'palette' | 'keys' | 'cancel' | 'join' | 'separate';

interface UiStore {
  overlay: Overlay;
  open: (overlay: Exclude<Overlay, 'none'>) => void;
  /** Closes this one, if it is still the one that is open: a dialog says that it was closed some time later. */
  close: (overlay: Exclude<Overlay, 'none'>) => void;
}

export const useUi = create<UiStore>((set, get) => ({
  overlay: 'none',
  open: (overlay) => {
    if (get().overlay !== overlay) useEarlyKeys.getState().clear();
    set({ overlay });
  },
  close: (overlay) => {
    if (get().overlay === overlay) set({ overlay: 'none' });
  },
}));
