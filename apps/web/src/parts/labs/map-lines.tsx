'use client';
import type { RefObject } from 'react';
import { useWidth } from '../../ui/use-width';

interface Point {
  x: number;
  y: number;
}

/** Center of the dot of a lab, relative to the map. */
function dotOf(frame: Element, lab: string): Point | null {
  const dot = frame.querySelector(`[data-lab="${lab}"] [data-dot]`)?.getBoundingClientRect();
  if (!dot) return null;
  const { left, top } = frame.getBoundingClientRect();
  return { x: dot.left + dot.width / 2 - left, y: dot.top + dot.height / 2 - top };
}

const curve = (a: Point, b: Point): string => {
  const middle = (a.y + b.y) / 2;
  return a.y === b.y
    ? `M${a.x} ${a.y}H${b.x}`
    : `M${a.x} ${a.y}C${a.x + 30} ${middle} ${b.x - 30} ${middle} ${b.x} ${b.y}`;
};

/** Lines on the map from the labs that a lab builds on. Its labels lie above them. */
export function MapLines(props: {
  frame: RefObject<HTMLElement | null>;
  to: string;
  from: readonly string[];
}) {
  const { frame, to, from } = props;
  // Drawn again when the map has another width, and its dots other places.
  useWidth(frame);
  /** Draws a line when it is in the document, where the dots have their places. */
  const draw = (path: SVGPathElement | null, lab: string): void => {
    const map = frame.current;
    const [start, end] = map ? [dotOf(map, lab), dotOf(map, to)] : [null, null];
    if (start && end) path?.setAttribute('d', curve(start, end));
  };
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full overflow-visible max-sm:hidden"
    >
      {from.map((lab) => (
        <path
          key={lab}
          ref={(path) => draw(path, lab)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
      ))}
    </svg>
  );
}
