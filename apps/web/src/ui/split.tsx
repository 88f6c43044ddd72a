'use client';
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { cn } from './cn';

const STEP = 2;
const LARGE_STEP = 10;

const key = (id: string) => `verbslab.split.${id}`;

function load(id: string, initial: number): number {
  try {
    const saved = Number(localStorage.getItem(key(id)) ?? NaN);
    return Number.isFinite(saved) ? saved : initial;
  } catch {
    return initial;
  }
}

function save(id: string, part: number): void {
  try {
    localStorage.setItem(key(id), String(part));
  } catch {
    // A full or forbidden storage only means that the size is not kept.
  }
}

export interface SplitProps {
  /** Name under which this browser keeps the size. */
  id: string;
  /** Name of the separator: what it resizes. */
  label: string;
  /** `row`: beside each other. */
  direction: 'row' | 'column';
  /** Percent of the room for the first pane, and its limits. */
  initial: number;
  least?: number;
  most?: number;
  className?: string;
  children: readonly [ReactNode, ReactNode];
}

/** Two panes with a separator between them that the pointer and the arrow keys move. Only for the client. */
export function Split(props: SplitProps) {
  const { id, label, direction, initial, least = 15, most = 85, className, children } = props;
  const [saved, setSaved] = useState(() => ({ id, part: load(id, initial) }));
  const place = useRef<HTMLDivElement>(null);
  const pane = useId();
  if (saved.id !== id) setSaved({ id, part: load(id, initial) });
  const clamped = (value: number) => Math.min(most, Math.max(least, value));
  const part = clamped(saved.part);
  const beside = direction === 'row';

  function set(to: number) {
    const next = Math.round(clamped(to) * 10) / 10;
    setSaved({ id, part: next });
    save(id, next);
  }
  function drag(e: PointerEvent<HTMLDivElement>) {
    if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
    const { left, top, width, height } = place.current!.getBoundingClientRect();
    set(100 * (beside ? (e.clientX - left) / width : (e.clientY - top) / height));
  }
  function onKeyDown(e: KeyboardEvent) {
    const step = e.shiftKey ? LARGE_STEP : STEP;
    const to: Record<string, number> = {
      [beside ? 'ArrowLeft' : 'ArrowUp']: part - step,
      [beside ? 'ArrowRight' : 'ArrowDown']: part + step,
      Home: least,
      End: most,
      Enter: initial,
    };
    const next = to[e.key];
    if (next === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    set(next);
  }
  const tracks = `minmax(0,${part}fr) auto minmax(0,${100 - part}fr)`;
  const inner = 'flex min-h-0 min-w-0 flex-col';
  return (
    <div
      ref={place}
      className={cn('grid min-h-0 min-w-0 flex-1', className)}
      style={beside ? { gridTemplateColumns: tracks } : { gridTemplateRows: tracks }}
    >
      <div id={pane} className={inner}>
        {children[0]}
      </div>
      {/* A separator that takes the focus is a control: its keys and its value are those of a slider. */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-controls={pane}
        aria-orientation={beside ? 'vertical' : 'horizontal'}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={Math.round(part)}
        title="Drag, or use the arrow keys. Enter restores the size."
        onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => set(initial)}
        onKeyDown={onKeyDown}
        className={cn(
          'group flex touch-none items-center justify-center -outline-offset-2 select-none hover:bg-hover',
          beside
            ? 'w-2 cursor-col-resize border-x pointer-coarse:w-6'
            : 'h-2 cursor-row-resize border-y pointer-coarse:h-6',
        )}
      >
        <span
          aria-hidden
          className={cn('bg-line-strong group-hover:bg-ink-2', beside ? 'h-6 w-px' : 'h-px w-6')}
        />
      </div>
      <div className={inner}>{children[1]}</div>
    </div>
  );
}
