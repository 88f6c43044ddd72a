'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

export interface Sort {
  /** Id of a column. */
  id: string;
  desc: boolean;
}

/** What the list of runs shows, as the address holds it. Empty strings: no such limit. */
export interface ListQuery {
  q: string;
  lab: string;
  state: string;
  tag: string;
  sort: Sort;
  /** Id of the figure that each line shows. Absent: the one that its lab names first. */
  figure?: string;
}

/** The newest first. */
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

/** The address of a list. What is as usual is not in it. */
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

/** Every run. */
export const UNFILTERED = { q: '', lab: '', state: '', tag: '' } as const;

export const isLimited = ({ q, lab, state, tag }: ListQuery): boolean =>
  q.trim() !== '' || lab !== '' || state !== '' || tag !== '';

/** True where the runs that are loaded may not be those that belong at the top. */
export const needsAll = (query: ListQuery): boolean =>
  isLimited(query) || query.sort.id !== USUAL.id || !query.sort.desc;

/** The query in the address. A change is a step that Back takes back, unless `step` is false. */
export function useListQuery(): [ListQuery, (change: Partial<ListQuery>, step?: boolean) => void] {
  const params = useSearchParams();
  const query = useMemo(() => readQuery(params), [params]);
  const change = useCallback((part: Partial<ListQuery>, step = true) => {
    // The address itself: keys that are pressed in one go come sooner than the page is drawn.
    const href = queryHref({ ...readQuery(new URLSearchParams(location.search)), ...part });
    if (step) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  }, []);
  return [query, change];
}
