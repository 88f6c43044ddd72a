'use client';
import { useCallback, useState } from 'react';
import {
  defaultLayout,
  isDefault,
  reconcile,
  resize,
  togglePin,
  type Layout,
  type PanelSpec,
} from '../model/layout';

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
    // A full or forbidden storage only means that the layout is not kept.
  }
}

export interface LayoutHandle {
  layout: Layout;
  /** True if the user has changed it. */
  changed: boolean;
  /** Resizes a panel of a grid by columns and pixels. */
  resize: (group: readonly string[], id: string, columns: number, pixels: number) => void;
  togglePin: (id: string) => void;
  reset: () => void;
}

/** Saved layout of a kind of page. Only for components that render on the client. */
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
    changed: !isDefault(specs, layout),
    resize: useCallback(
      (group, id, columns, pixels) => change((l) => resize(l, group, id, columns, pixels)),
      [change],
    ),
    togglePin: useCallback((id) => change((l) => togglePin(l, id)), [change]),
    reset: useCallback(() => change(() => defaultLayout(specs)), [change, specs]),
  };
}
