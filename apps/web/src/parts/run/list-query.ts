'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

export interface Sort {
  /** Column id. */
  id: string;
  desc: boolean;
}

/** Filters, order and figure of the list of runs, from the address. Empty strings match everything. */
export interface ListQuery {
  q: string;
  lab: string;
  state: string;
  tag: string;
  sort: Sort;
  /** Id of the figure in each row. Absent: the first figure of its lab. */
  figure?: string;
}

/** Newest first. */
export const USUAL: Sort = { id: 'number', desc: true };

export function readQuery(params: Pick<URLSearchParams, 'get'>): ListQuery {
  const sort = params.get('sort');
  const figure = params.get('figure');
  return {
    q: params.get('q') ?? '',
    lab: params.get('lab') ?? '',
    state: params.get('state') ?? '',
    tag: params.get('tag') ?? '',
    sort: sort ? { id: sort.replace(/^-/, ''), desc: sort.startsWith('-') } : USUAL,
    ...(figure ? { figure } : {}),
  };
}

/** Address of a list, without default values. */
export function queryHref({ q, lab, state, tag, sort, figure }: ListQuery): string {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (lab) params.set('lab', lab);
  if (state) params.set('state', state);
  if (tag) params.set('tag', tag);
  if (sort.id !== USUAL.id || sort.desc !== USUAL.desc)
    params.set('sort', `${sort.desc ? '-' : ''}${sort.id}`);
  if (figure) params.set('figure', figure);
  return params.size > 0 ? `/runs?${params}` : '/runs';
}

/** Matches every run. */
export const UNFILTERED = { q: '', lab: '', state: '', tag: '' } as const;

export const isLimited = ({ q, lab, state, tag }: ListQuery): boolean =>
  q.trim() !== '' || lab !== '' || state !== '' || tag !== '';

/** True if the loaded runs may not be those that belong at the top. */
export const needsAll = (query: ListQuery): boolean =>
  isLimited(query) || query.sort.id !== USUAL.id || !query.sort.desc;

/** The query in the address. A change adds a step to the browser's history, unless `step` is false. */
export function useListQuery(): [ListQuery, (change: Partial<ListQuery>, step?: boolean) => void] {
  const params = useSearchParams();
  const query = useMemo(() => readQuery(params), [params]);
  const change = useCallback((part: Partial<ListQuery>, step = true) => {
    // Read from the address, because keys may be pressed faster than the page is drawn.
    const href = queryHref({ ...readQuery(new URLSearchParams(location.search)), ...part });
    if (step) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  }, []);
  return [query, change];
}
