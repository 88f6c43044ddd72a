'use client';
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/** A control inside a figure: a value that is dragged along an area, or moved by keys. `children`: what shows it. */
export function XHandle(props: {
  label: string;
  text: string;
  value: number;
  min: number;
  max: number;
  area: { x: number; y: number; w: number; h: number };
  /** Value at a place of the figure, px. */
  valueAt: (x: number) => number;
  onChange: (value: number) => void;
  /** True if larger values lie to the left. */
  reversed?: boolean;
  /** Values for PageUp and PageDown. */
  far?: (value: number, up: boolean) => number;
  children: ReactNode;
}) {
  const { label, text, value, min, max, area, valueAt, onChange, far, reversed = false, children } = props;
  const root = useRef<SVGGElement>(null);
  const set = (to: number): void => {
    const within = Math.min(max, Math.max(min, to));
    if (within !== value) onChange(within);
  };
  const follow = (e: PointerEvent): void => {
    const svg = root.current?.ownerSVGElement?.getBoundingClientRect();
    if (svg) set(valueAt(e.clientX - svg.left));
  };
  const next = (key: string): number | null => {
    if (key === 'Home') return min;
    if (key === 'End') return max;
    if ((key === 'PageUp' || key === 'PageDown') && far) return far(value, key === 'PageUp');
    const step = STEPS[key];
    if (step === undefined) return null;
    const across = key === 'ArrowLeft' || key === 'ArrowRight';
    return reversed && across ? value - step : value + step;
  };
  const onKey = (e: KeyboardEvent): void => {
    const to = e.ctrlKey || e.metaKey || e.altKey ? null : next(e.key);
    if (to === null) return;
    e.preventDefault();
    e.stopPropagation();
    set(to);
  };
  return (
    <g
      ref={root}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      onKeyDown={onKey}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        follow(e);
      }}
      onPointerMove={(e) => {
        if (e.currentTarget.hasPointerCapture(e.pointerId)) follow(e);
      }}
      className="cursor-ew-resize touch-pan-y"
    >
      <rect x={area.x} y={area.y} width={area.w} height={area.h} fillOpacity={0} />
      {children}
    </g>
  );
}
