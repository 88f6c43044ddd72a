'use client';
import { useEffect } from 'react';
import { create } from 'zustand';

/** The last crumb, when a page knows a better word than its path. */
export const useCrumb = create<{ text: string | null }>(() => ({ text: null }));

export function useOwnCrumb(text: string | null): void {
  useEffect(() => {
    useCrumb.setState({ text });
    return () => useCrumb.setState({ text: null });
  }, [text]);
}
