'use client';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { RunRow } from '@verbslab/protocol';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/**
 * Longest list whose rows are all in the document, where the browser's search finds them. In a longer list, only the
 * rows near the window are.
 */
export const ALL_DRAWN = 300;
/** Height of a row before it is measured, in pixels. */
const ROW = { table: 41, list: 57 };

interface DrawnRows {
  drawn: readonly { run: RunRow; index: number | undefined }[];
  /** Height of the rows before and after the drawn ones, in pixels. */
  before: number;
  after: number;
  measure: (row: Element | null) => void;
  focus: (id: string) => void;
}

/** Drawn rows of a long list: those in the window and some around it. */
export function useDrawnRows(
  frame: RefObject<HTMLElement | null>,
  runs: readonly RunRow[],
  layout: keyof typeof ROW,
): DrawnRows {
  const some = runs.length > ALL_DRAWN;
  const [top, setTop] = useState(0);
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element) setTop(Math.round(element.getBoundingClientRect().top + scrollY));
  }, [frame, runs, layout]);
  const virtual = useWindowVirtualizer({
    count: runs.length,
    enabled: some,
    estimateSize: () => ROW[layout],
    getItemKey: (index) => runs[index]?.id ?? index,
    overscan: 12,
    scrollMargin: top,
    // Bars overlay the first and the last row.
    scrollPaddingStart: 128,
    scrollPaddingEnd: 96,
  });
  const items = some ? virtual.getVirtualItems() : [];
  const reach = useCallback(
    (id: string): boolean => {
      const link = frame.current?.querySelector<HTMLElement>(`[data-run="${id}"] [data-open]`);
      link?.focus();
      link?.scrollIntoView({ block: 'nearest' });
      return Boolean(link);
    },
    [frame],
  );
  const focus = useCallback(
    (id: string) => {
      wanted.current = null;
      if (reach(id)) return;
      const index = runs.findIndex((run) => run.id === id);
      if (index < 0) return;
      wanted.current = id;
      virtual.scrollToIndex(index);
    },
    [reach, runs, virtual],
  );
  // The row appears in the drawing after the scrolling.
  useEffect(() => {
    if (wanted.current !== null && reach(wanted.current)) wanted.current = null;
  });
  if (!some)
    return {
      drawn: runs.map((run) => ({ run, index: undefined })),
      ...{ before: 0, after: 0, measure: virtual.measureElement, focus },
    };
  const end = items.at(-1)?.end ?? top;
  return {
    drawn: items.flatMap(({ index }) => (runs[index] ? [{ run: runs[index], index }] : [])),
    before: (items[0]?.start ?? top) - top,
    after: Math.max(0, virtual.getTotalSize() - (end - top)),
    measure: virtual.measureElement,
    focus,
  };
}
