'use client';
import { useLayoutEffect, useState, type RefObject } from 'react';
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
  const width = useWidth(frame);
  const [paths, setPaths] = useState<string[]>([]);
  useLayoutEffect(() => {
    const map = frame.current;
    const end = map && dotOf(map, to);
    setPaths(
      end
        ? from.flatMap((lab) => {
            const start = dotOf(map, lab);
            return start ? [curve(start, end)] : [];
          })
        : [],
    );
  }, [frame, to, from, width]);
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full overflow-visible max-sm:hidden"
    >
      {paths.map((path) => (
        <path key={path} d={path} fill="none" stroke="var(--accent)" strokeWidth="1.5" />
      ))}
    </svg>
  );
}
