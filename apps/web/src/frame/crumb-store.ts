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
    // Next puts the title of the file back whenever the query changes.
    const own = `${title} · Verbs Lab`;
    const keep = () => {
      if (document.title !== own) document.title = own;
    };
    keep();
    const watch = new MutationObserver(keep);
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watch.disconnect();
  }, [title]);
}
