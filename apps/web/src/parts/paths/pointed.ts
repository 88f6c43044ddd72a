'use client';
import type { Transport } from '@verbslab/protocol';
import { create } from 'zustand';

interface Pointed {
  /** Transport that the reader points at, or has chosen by key; null for none. */
  transport: Transport | null;
  point: (transport: Transport | null) => void;
}

/** What the reader points at on the page: its path in the picture and its rows are lit together. */
export const usePointed = create<Pointed>((set) => ({
  transport: null,
  point: (transport) => set({ transport }),
}));
