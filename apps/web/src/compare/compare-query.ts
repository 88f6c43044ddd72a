'use client';
import { MOST_COMPARED } from '@verbslab/labs';
import { ID_FORM, TRANSPORTS, type Transport } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

/** What is compared, and how it is looked at, as the address has it. */
export interface CompareQuery {
  /** Each once, in their order; as many as can be compared. */
  ids: string[];
  /** Ids that are no ids of runs, or more than can be compared. */
  refused: string[];
  tooMany: number;
  /** The run that the others are measured against. */
  base: string | null;
  /** Runs that the charts leave out. */
  hidden: string[];
  /** Transports that the charts show; null: those that the runs have in common. */
  shown: Transport[] | null;
}

export function readCompareQuery(params: Pick<URLSearchParams, 'get'>): CompareQuery {
  const list = (name: string): string[] => [
    ...new Set((params.get(name) ?? '').split(',').filter((one) => one !== '')),
  ];
  const asked = list('ids');
  const wellFormed = asked.filter((id) => ID_FORM.test(id));
  const ids = wellFormed.slice(0, MOST_COMPARED);
  const base = params.get('base');
  const shown = params.get('show');
  return {
    ids,
    refused: asked.filter((id) => !ID_FORM.test(id)),
    tooMany: wellFormed.length - ids.length,
    base: base !== null && ids.includes(base) ? base : (ids[0] ?? null),
    hidden: list('hide').filter((id) => ids.includes(id)),
    shown: shown === null ? null : TRANSPORTS.filter((one) => list('show').includes(one)),
  };
}

/** The address of a comparison. What is as usual is not in it. */
export function compareQueryHref(query: Pick<CompareQuery, 'ids' | 'base' | 'hidden' | 'shown'>): string {
  const { ids, base, shown } = query;
  const hidden = query.hidden.filter((id) => ids.includes(id));
  const parts = [
    `ids=${ids.join(',')}`,
    ...(base !== null && base !== ids[0] && ids.includes(base) ? [`base=${base}`] : []),
    ...(hidden.length > 0 ? [`hide=${hidden.join(',')}`] : []),
    ...(shown === null ? [] : [`show=${shown.join(',')}`]),
  ];
  return `/runs/compare?${parts.join('&')}`;
}

/** The query in the address. Runs and baseline are steps that Back takes back; what charts show is not. */
export function useCompareQuery(): [CompareQuery, (change: Partial<CompareQuery>) => void] {
  const params = useSearchParams();
  const query = useMemo(() => readCompareQuery(params), [params]);
  const change = useCallback((part: Partial<CompareQuery>) => {
    const now = readCompareQuery(new URLSearchParams(location.search));
    const href = compareQueryHref({ ...now, ...part });
    if (part.ids || part.base !== undefined) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  }, []);
  return [query, change];
}
