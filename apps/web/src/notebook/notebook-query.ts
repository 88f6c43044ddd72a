'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

/** What of the notebook is shown, as the address holds it. Empty strings: no such limit. */
export interface NotebookQuery {
  q: string;
  tag: string;
}

export function notebookHref({ q, tag }: NotebookQuery): string {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (tag) params.set('tag', tag);
  return params.size > 0 ? `/notebook?${params}` : '/notebook';
}

const read = (params: Pick<URLSearchParams, 'get'>): NotebookQuery => ({
  q: params.get('q') ?? '',
  tag: params.get('tag') ?? '',
});

/** The query in the address. A change is a step that Back takes back, unless `step` is false. */
export function useNotebookQuery(): [NotebookQuery, (part: Partial<NotebookQuery>, step?: boolean) => void] {
  const params = useSearchParams();
  const change = useCallback((part: Partial<NotebookQuery>, step = true) => {
    // The address itself: keys that are pressed in one go come sooner than the page is drawn.
    const href = notebookHref({ ...read(new URLSearchParams(location.search)), ...part });
    if (step) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  }, []);
  return [read(params), change];
}
