'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

/** Search text and tag of the notebook, from the address. An empty string matches everything. */
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

/** The query in the address. A change adds a step to the browser's history, unless `step` is false. */
export function useNotebookQuery(): [NotebookQuery, (part: Partial<NotebookQuery>, step?: boolean) => void] {
  const params = useSearchParams();
  const change = useCallback((part: Partial<NotebookQuery>, step = true) => {
    // Read from the address, because keys may be pressed faster than the page is drawn.
    const href = notebookHref({ ...read(new URLSearchParams(location.search)), ...part });
    if (step) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  }, []);
  return [read(params), change];
}
