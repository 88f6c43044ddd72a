'use client';
import { Pin, PinOff } from 'lucide-react';
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { pinLabel } from '../actions/view';
import { IconButton } from '../ui/button';
import { TableSwitch } from '../ui/table-switch';
import { cn } from '../ui/cn';
import type { PanelPlace } from '../model/layout';
import { PanelVisible, useInSight } from '../connection/panel-visible';

/** Classes of the spans, written in full because Tailwind finds classes by reading the source. */
const SPAN: Record<number, string> = {
  3: 'lg:col-span-3',
  4: 'lg:col-span-4',
  5: 'lg:col-span-5',
  6: 'lg:col-span-6',
  7: 'lg:col-span-7',
  8: 'lg:col-span-8',
  9: 'lg:col-span-9',
  10: 'lg:col-span-10',
  11: 'lg:col-span-11',
  12: 'lg:col-span-12',
};

export interface PanelFrame {
  place: PanelPlace;
  /** Moves the lower right corner. */
  onResize: (columns: number, pixels: number) => void;
  onPin: () => void;
}

export interface PanelProps extends PanelFrame {
  id: string;
  title: string;
  /** True if the panel is as high as its content where panels are below each other. */
  text: boolean;
  /** True if it is also as high as its content on wide pages: alone in its row, or not resized yet. */
  alone: boolean;
  /** Content beside the title: provider badges, counts. */
  aside?: ReactNode;
  /** Switch of a chart between its picture and its table. */
  table?: { shown: boolean; toggle: () => void };
  /** True to draw the panel even while out of sight: for printing, searching the page, and full-page screenshots. */
  always: boolean;
  children: ReactNode;
}

/** A panel of a run page: title, tools, content, and a corner to resize it by mouse or arrow keys. */
export function Panel(props: PanelProps) {
  const { id, title, aside, table, place, text, alone, always, onResize, onPin, children } = props;
  const root = useRef<HTMLElement>(null);
  const inSight = useInSight(root);
  const drag = useRef<{ x: number; y: number; column: number } | null>(null);

  function start(e: PointerEvent<HTMLButtonElement>) {
    const el = root.current;
    if (!el) return;
    e.currentTarget.setPointerCapture(e.pointerId);
    drag.current = { x: e.clientX, y: e.clientY, column: el.getBoundingClientRect().width / place.span };
  }
  /** Moves in whole steps of the grid; the rest counts with the next move. */
  function move(e: PointerEvent) {
    const d = drag.current;
    if (!d) return;
    const columns = Math.round((e.clientX - d.x) / d.column);
    const pixels = Math.round((e.clientY - d.y) / 8) * 8;
    if (columns === 0 && pixels === 0) return;
    d.x += columns * d.column;
    d.y += pixels;
    onResize(columns, pixels);
  }
  function keys(e: KeyboardEvent) {
    const step: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -40],
      ArrowDown: [0, 40],
    };
    const by = step[e.key];
    if (!by) return;
    e.preventDefault();
    onResize(...by);
  }

  return (
    <section
      ref={root}
      id={`panel-${id}`}
      aria-label={title}
      data-panel={id}
      className={cn(
        'panel relative flex min-w-0 scroll-mt-16 flex-col rounded-[4px] border bg-panel',
        text && 'min-h-24 max-lg:h-auto!',
        text && alone && 'h-auto!',
        SPAN[place.span],
      )}
      style={{ height: place.height }}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 pl-3 pr-1 sm:flex-nowrap">
        <h2 className="max-w-[calc(100%-4.5rem)] shrink-0 truncate text-13 font-semibold max-sm:flex-1">
          {title}
        </h2>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-12 text-ink-3 empty:hidden max-sm:order-last max-sm:w-full sm:flex-nowrap sm:overflow-hidden">
          {aside}
        </div>
        <div className="ml-auto flex shrink-0">
          {table ? <TableSwitch of={title} shown={table.shown} onToggle={table.toggle} /> : null}
          <IconButton
            label={pinLabel({ title, pinned: place.pinned })}
            aria-pressed={place.pinned}
            onClick={onPin}
          >
            {place.pinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />}
          </IconButton>
        </div>
      </header>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden">
        <PanelVisible value={inSight || always}>{children}</PanelVisible>
      </div>
      <button
        type="button"
        aria-label={`Resize: ${title}. Drag, or use the arrow keys.`}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        onKeyDown={keys}
        className="group absolute right-0 bottom-0 hidden size-8 cursor-nwse-resize touch-none items-end justify-end p-1 lg:flex"
      >
        <svg
          width="8"
          height="8"
          viewBox="0 0 8 8"
          aria-hidden
          className="text-line-strong group-hover:text-ink"
        >
          <path d="M8 0 0 8M8 4 4 8" stroke="currentColor" />
        </svg>
      </button>
    </section>
  );
}
