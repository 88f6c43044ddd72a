'use client';
import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

export interface HandleProps {
  /** Part of a drawing, or a box over it. */
  as: 'g' | 'div';
  label: string;
  text: string;
  value: number;
  min: number;
  max: number;
  /** Value at the pointer. */
  valueAt: (e: PointerEvent) => number;
  /** `done`: a key was pressed, or the pointer released. Until then, values come as the pointer passes them. */
  onChange: (value: number, done: boolean) => void;
  /** True if larger values lie to the left. */
  reversed?: boolean;
  /** Values for PageUp and PageDown. */
  far?: (value: number, up: boolean) => number;
  /** A press moves it to the pointer; otherwise only dragging does. */
  jumps?: boolean;
  className: string;
  style?: CSSProperties;
  children: ReactNode;
}

/** A slider inside a figure: dragged, or moved by keys. */
export function Handle(props: HandleProps) {
  const { as, label, text, value, min, max, valueAt, onChange, far, className, style, children } = props;
  const { reversed = false, jumps = false } = props;
  /** What the pointer did since its press. */
  const held = useRef<'nothing' | 'pressed' | 'moved'>('nothing');
  const within = (to: number): number => Math.min(max, Math.max(min, to));
  const follow = (e: PointerEvent): void => {
    held.current = 'moved';
    const to = within(valueAt(e));
    if (to !== value) onChange(to, false);
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
  const onKeyDown = (e: KeyboardEvent): void => {
    const to = e.ctrlKey || e.metaKey || e.altKey ? null : next(e.key);
    if (to === null) return;
    e.preventDefault();
    e.stopPropagation();
    if (within(to) !== value) onChange(within(to), true);
  };
  // A part of a drawing takes the same attributes.
  const Part = as as 'div';
  return (
    <Part
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onPointerDown={(e) => {
        held.current = 'pressed';
        e.currentTarget.setPointerCapture(e.pointerId);
        if (jumps) follow(e);
      }}
      onPointerMove={(e) => {
        if (held.current !== 'nothing') follow(e);
      }}
      onPointerUp={(e) => {
        if (held.current === 'moved') onChange(within(valueAt(e)), true);
        held.current = 'nothing';
      }}
      onPointerCancel={() => (held.current = 'nothing')}
      className={className}
      style={style}
    >
      {children}
    </Part>
  );
}
