'use client';
import { MOST_COMPARED } from '@verbslab/labs';
import { ID_FORM, TRANSPORTS, type Transport } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

/** The compared runs and the view of them, from the address. */
export interface CompareQuery {
  /** Run ids without duplicates, in their order, up to the limit. */
  ids: string[];
  /** Malformed ids. */
  refused: string[];
  tooMany: number;
  /** Run that the others are compared with. */
  base: string | null;
  /** Runs that are hidden in the charts. */
  hidden: string[];
  /** Transports in the charts; null: those that the runs have in common. */
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

/** Address of a comparison, without default values. */
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

/**
 * The query in the address. A change of the runs or the baseline adds a step to the browser's history; a change of the
 * charts does not.
 */
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
