'use client';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** Pixels. */
export interface ChartSize {
  width: number;
  height: number;
}

/** Margins of all charts on a page. Equal left margins align their x axes. */
export const MARGIN = { top: 24, right: 44, bottom: 36, left: 52 };

/** Frame of a chart, as large as its container. */
export function ChartFrame({ children }: { children: (size: ChartSize) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  // A chart without size draws nothing, but has its name from the start.
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
      {/* Absolute, so that the container can become smaller than its chart. */}
      <div className="absolute inset-0">{children(size)}</div>
    </div>
  );
}
