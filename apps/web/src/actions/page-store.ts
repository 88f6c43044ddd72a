'use client';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { create } from 'zustand';
import type { PageHandle } from './types';

interface PageStore {
  handle: PageHandle;
  set: (h: PageHandle) => void;
}

/** Actions that the open page offers. */
export const usePageStore = create<PageStore>((set) => ({ handle: {}, set: (handle) => set({ handle }) }));

const parts = new Map<object, PageHandle>();

/**
 * Merges the parts of the page: hosts and pins of all parts are joined, and anything else comes from the last part that
 * has it.
 */
function publish(): void {
  const all = [...parts.values()];
  const [hosts, pins] = [all.flatMap((part) => part.hosts ?? []), all.flatMap((part) => part.pins ?? [])];
  usePageStore.getState().set({
    ...(Object.assign({}, ...all) as PageHandle),
    ...(hosts.length > 0 ? { hosts } : {}),
    ...(pins.length > 0 ? { pins } : {}),
  });
}

/** Registers the actions of the page, or of a part of it, while it is mounted. Memoize the handle. */
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

/** Returns a ref for the search field of the page's list; a shortcut moves the focus to this field. */
export function useFilterField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  usePageHandle(useMemo(() => ({ 'focus-filter': () => field.current?.focus() }), []));
  return field;
}

/** Registers a handle as long as it is rendered, for actions that are not always available. */
export function Offer({ handle }: { handle: PageHandle }): null {
  usePageHandle(handle);
  return null;
}
