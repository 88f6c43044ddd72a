'use client';
import { useCallback, useState } from 'react';
import { defaultLayout, reconcile, resize, togglePin, type Layout, type PanelSpec } from './model/layout';

const key = (page: string) => `verbslab.layout.${page}`;

function load(page: string, specs: readonly PanelSpec[]): Layout {
  try {
    return reconcile(specs, JSON.parse(localStorage.getItem(key(page)) ?? 'null'));
  } catch {
    return defaultLayout(specs);
  }
}

function save(page: string, layout: Layout): void {
  try {
    localStorage.setItem(key(page), JSON.stringify(layout));
  } catch {
    // A full or forbidden storage costs the memory of the layout, nothing else.
  }
}

export interface LayoutHandle {
  layout: Layout;
  resize: (id: string, span: number, height: number) => void;
  togglePin: (id: string) => void;
  reset: () => void;
}

/** The remembered layout of one kind of page. Only for components that render on the client. */
export function useLayout(page: string, specs: readonly PanelSpec[]): LayoutHandle {
  const [layout, setLayout] = useState(() => load(page, specs));
  const change = useCallback(
    (f: (l: Layout) => Layout) =>
      setLayout((old) => {
        const next = f(old);
        if (next !== old) save(page, next);
        return next;
      }),
    [page],
  );
  return {
    layout,
    resize: useCallback((id, span, height) => change((l) => resize(l, id, span, height)), [change]),
    togglePin: useCallback((id) => change((l) => togglePin(l, id)), [change]),
    reset: useCallback(() => change(() => defaultLayout(specs)), [change, specs]),
  };
}
