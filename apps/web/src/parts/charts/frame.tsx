'use client';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** Pixels. */
export interface ChartSize {
  width: number;
  height: number;
}

/** Same left margin on every chart of a page, so that their x axes stand one below the other. */
export const MARGIN = { top: 24, right: 44, bottom: 36, left: 52 };

/** Where a chart is drawn: as large as its place. */
export function ChartFrame({ children }: { children: (size: ChartSize) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  // A chart of no size draws nothing, but has its name from the start.
  const [size, setSize] = useState<ChartSize>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const el = place.current!;
    const measure = () => setSize({ width: el.clientWidth, height: el.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="relative h-full w-full overflow-hidden">
      {/* Out of the flow: the place of a chart must be able to become smaller than the chart is. */}
      <div className="absolute inset-0">{children(size)}</div>
    </div>
  );
}
