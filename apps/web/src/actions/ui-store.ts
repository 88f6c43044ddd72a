'use client';
import { create } from 'zustand';
import { useEarlyKeys } from './early-keys';

/** The layer above the page, which gets all key presses. */
type Overlay = 'none' | 'palette' | 'keys' | 'cancel' | 'join' | 'separate';

interface UiStore {
  overlay: Overlay;
  open: (overlay: Exclude<Overlay, 'none'>) => void;
  /** Closes this layer if it is still the open one: a dialog reports its close with a delay. */
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
