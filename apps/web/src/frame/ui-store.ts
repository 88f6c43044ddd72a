'use client';
import { create } from 'zustand';

interface UiStore {
  overlay: 'none' | 'palette' | 'keys';
  open: (overlay: 'palette' | 'keys') => void;
  close: () => void;
}

export const useUi = create<UiStore>((set) => ({
  overlay: 'none',
  open: (overlay) => set({ overlay }),
  close: () => set({ overlay: 'none' }),
}));
