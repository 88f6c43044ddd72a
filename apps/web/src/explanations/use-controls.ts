'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

export type Controls = Record<string, string | number>;

/** Reads the controls from the address. A missing value, or text in place of a number, becomes the default. */
export function readControls<T extends Controls>(params: Pick<URLSearchParams, 'get'>, defaults: T): T {
  const read = ([name, preset]: [string, string | number]): [string, string | number] => {
    const given = params.get(name);
    if (given === null || given === '') return [name, preset];
    if (typeof preset === 'string') return [name, given];
    return [name, Number.isFinite(Number(given)) ? Number(given) : preset];
  };
  return Object.fromEntries(Object.entries(defaults).map(read)) as T;
}

/** Called after a control wrote to the address. */
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  addEventListener('popstate', reader);
  return () => {
    readers.delete(reader);
    removeEventListener('popstate', reader);
  };
}

/**
 * Values of the controls, kept in the address. `defaults` must stay the same object. The address itself is read: the
 * router's copy of it follows later, and a checkbox would fall back until then.
 */
export function useControls<T extends Controls>(defaults: T): [T, (change: Partial<T>) => void] {
  // Renders again after a link led to another address of the same page.
  useSearchParams();
  const search = useSyncExternalStore(
    subscribe,
    () => location.search,
    () => '',
  );
  const values = useMemo(() => readControls(new URLSearchParams(search), defaults), [search, defaults]);
  const change = useCallback((part: Partial<T>) => {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(part)) query.set(name, String(value));
    history.replaceState(null, '', `${location.pathname}?${query}`);
    for (const reader of readers) reader();
  }, []);
  return [values, change];
}
