'use client';
import { useEffect, useState, type RefObject } from 'react';

/** Width of an element in rem, kept up to date; null until it has been measured. */
export function useWidth(ref: RefObject<Element | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const watch = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width / rem));
    watch.observe(element);
    return () => watch.disconnect();
  }, [ref]);
  return width;
}
