import type { Filter, FilterError } from '@verbslab/roce';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import type { PacketRows } from '../../model/packet-rows';
import { useEngine } from './use-engine';
import { usePassing, type Passing } from './use-passing';

export interface Filtering {
  /** The filter in the address. */
  text: string;
  apply: (text: string) => void;
  /** Error in the filter; all packets are then listed. */
  error: FilterError | null;
  /** Packets that pass; null without a filter. */
  result: Passing | null;
}

type Compiled = { filter: Filter } | { error: FilterError } | null;

/** Filter of a list of packets, from the address. */
export function useFilter(rows: PacketRows | null): Filtering {
  const text = useSearchParams().get('filter') ?? '';
  const router = useRouter();
  const path = usePathname();
  const apply = useCallback(
    (next: string) => {
      const query = new URLSearchParams(location.search);
      if (next === '') query.delete('filter');
      else query.set('filter', next);
      router.replace(`${path}?${query}`, { scroll: false });
    },
    [router, path],
  );
  const engine = useEngine(text !== '');
  const compiled = useMemo((): Compiled => {
    if (!engine || text.trim() === '') return null;
    try {
      return { filter: engine.compileFilter(text) };
    } catch (error) {
      if (error instanceof engine.FilterError) return { error };
      throw error;
    }
  }, [engine, text]);
  const filter = compiled && 'filter' in compiled ? compiled.filter : null;
  const result = usePassing(rows, rows?.length ?? 0, filter);
  return { text, apply, error: compiled && 'error' in compiled ? compiled.error : null, result };
}

/** Intersection of two sorted lists of packets; null stands for all packets. */
export function both(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null || b === null) return a ?? b;
  const common: number[] = [];
  let j = 0;
  for (const index of a) {
    while (j < b.length && b[j]! < index) j++;
    if (b[j] === index) common.push(index);
  }
  return common;
}
