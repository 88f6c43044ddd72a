'use client';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { create } from 'zustand';
import type { PageHandle } from './types';

interface PageStore {
  handle: PageHandle;
  set: (h: PageHandle) => void;
}

/** What the open page offers to the action table. */
export const usePageStore = create<PageStore>((set) => ({ handle: {}, set: (handle) => set({ handle }) }));

const parts = new Map<object, PageHandle>();

/** What several parts have each for its own things is a list; of the rest the part that came last counts. */
function publish(): void {
  const all = [...parts.values()];
  const [hosts, pins] = [all.flatMap((part) => part.hosts ?? []), all.flatMap((part) => part.pins ?? [])];
  usePageStore.getState().set({
    ...(Object.assign({}, ...all) as PageHandle),
    ...(hosts.length > 0 ? { hosts } : {}),
    ...(pins.length > 0 ? { pins } : {}),
  });
}

/** Registers what the page, or a part of it, can do while it is mounted. Memoise the handle. */
export function usePageHandle(handle: PageHandle): void {
  const [part] = useState(() => ({}));
  useEffect(() => {
    parts.set(part, handle);
    publish();
  }, [part, handle]);
  useEffect(
    () => () => {
      parts.delete(part);
      publish();
    },
    [part],
  );
}

/** For the field that searches the list of the page: the key for that leads to it. */
export function useFilterField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  usePageHandle(useMemo(() => ({ 'focus-filter': () => field.current?.focus() }), []));
  return field;
}

/** The same for a part that can do so only at times. */
export function Offer({ handle }: { handle: PageHandle }): null {
  usePageHandle(handle);
  return null;
}
