'use client';
import { useEffect } from 'react';
import { usePageStore } from '../actions/page-store';
import type { PageHandle } from '../actions/types';

const parts = new Map<string, PageHandle>();

function publish(): void {
  usePageStore.getState().set(Object.assign({}, ...parts.values()) as PageHandle);
}

/** A run page is made of parts; each adds what it can do to the page's handle. */
export function useRunHandle(part: string, handle: PageHandle): void {
  useEffect(() => {
    parts.set(part, handle);
    publish();
    return () => {
      parts.delete(part);
      publish();
    };
  }, [part, handle]);
}
