'use client';
import { useEffect } from 'react';
import { create } from 'zustand';

/** The last crumb, when a page knows a better word than its path. */
export const useCrumb = create<{ text: string | null }>(() => ({ text: null }));

/** `title` names the page in the browser's tab, for pages that are known only when they are open. */
export function useOwnCrumb(text: string | null, title: string): void {
  useEffect(() => {
    useCrumb.setState({ text });
    return () => useCrumb.setState({ text: null });
  }, [text]);
  useEffect(() => {
    document.title = `${title} · Verbs Lab`;
  }, [title]);
}
