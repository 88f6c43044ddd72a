import type { FilterError } from '@verbslab/roce';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import type { PacketRows } from '../../model/packet-rows';
import { compiled, useEngine, type Compiled } from './use-engine';
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

const NONE: Compiled = { filter: null, error: null };

/** Filter of a list of packets, from the address. `settled`: true once `rows` knows its marks. */
export function useFilter(rows: PacketRows | null, settled: boolean): Filtering {
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
  const { filter, error } = useMemo(
    () => (engine && text.trim() !== '' ? compiled(engine, text) : NONE),
    [engine, text],
  );
  const result = usePassing(rows, rows?.length ?? 0, filter, settled);
  return { text, apply, error, result };
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
