'use client';
import { usePlot } from '@verbslab/charts';
import { useRef, useState, type MouseEvent, type PointerEvent, type ReactNode } from 'react';

/** Pixels from which a press is a drag. */
const LEAST = 4;

/** Marks a stretch of the x axis by dragging, over what else answers to the pointer. The place of the chosen packet is a line. */
export function TimeDrag(props: {
  /** Where the chosen packet is on the axis. */
  mark: number | null;
  onRange: (from: number, to: number) => void;
  children: ReactNode;
}) {
  const { mark, onRange, children } = props;
  const { area, xAxis, x } = usePlot();
  const [range, setRange] = useState<readonly [number, number] | null>(null);
  const from = useRef<number | null>(null);
  const dragged = useRef(false);
  const pixelOf = (e: PointerEvent<HTMLElement>) =>
    Math.min(area.x + area.width, Math.max(area.x, e.clientX - e.currentTarget.getBoundingClientRect().left));
  const valueAt = (px: number) => {
    const [first, last] = xAxis.domain;
    return first + ((px - area.x) / area.width) * (last - first);
  };
  function move(e: PointerEvent<HTMLElement>) {
    if (from.current === null) return;
    const to = pixelOf(e);
    if (!dragged.current && Math.abs(to - from.current) < LEAST) return;
    dragged.current = true;
    setRange([Math.min(from.current, to), Math.max(from.current, to)]);
  }
  function end() {
    if (range && dragged.current) onRange(valueAt(range[0]), valueAt(range[1]));
    from.current = null;
    setRange(null);
  }
  return (
    // The crosshair inside has the keys.
    <div
      className="absolute inset-0 cursor-crosshair"
      onPointerDown={(e) => {
        from.current = pixelOf(e);
        dragged.current = false;
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerLeave={end}
      onClickCapture={(e: MouseEvent) => {
        if (dragged.current) e.stopPropagation();
      }}
    >
      <svg aria-hidden className="pointer-events-none absolute inset-0 h-full w-full">
        {mark === null ? null : (
          <path
            d={`M${x(mark)} ${area.y}V${area.y + area.height}`}
            stroke="var(--accent)"
            strokeWidth="1.5"
          />
        )}
        {range ? (
          <rect
            x={range[0]}
            y={area.y}
            width={range[1] - range[0]}
            height={area.height}
            fill="var(--accent-wash)"
            fillOpacity="0.6"
            stroke="var(--accent)"
          />
        ) : null}
      </svg>
      {children}
    </div>
  );
}
