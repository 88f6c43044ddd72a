'use client';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { PageHandle } from './types';

interface PageStore {
  handle: PageHandle;
  set: (h: PageHandle) => void;
}

/** What the open page offers to the action table. */
export const usePageStore = create<PageStore>((set) => ({ handle: {}, set: (handle) => set({ handle }) }));

/** Registers the page's abilities while it is mounted. Memoise the handle. */
export function usePageHandle(handle: PageHandle): void {
  useEffect(() => {
    const { set } = usePageStore.getState();
    set(handle);
    return () => set({});
  }, [handle]);
}
