'use client';
import { useLayoutEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { TimeCanvas } from './canvas';
import { paintLines } from './draw/lines';
import { columns } from './draw/marks';
import { timeAt, xOf, type Chosen, type Pen } from './draw/pen';
import { stillLayer } from './draw/still-layer';
import { momentText } from '../../format/time-text';
import type { Stream } from './model/stream';
import type { LineTrack } from './model/track';
import { pan, show, useTimeline, useTimelineStore, type TimelineState } from './timeline-store';

const HEIGHT = 56;
const HANDLE_PX = 8;
const TELL_MS = 150;
const NOTHING: Chosen = { wr: new Set(), packet: new Set(), event: new Set() };

/** Overview of the whole run: throughput over CPU, or the density of events. A movable frame shows the part in view. */
export function Overview({ rates, events }: { rates: readonly LineTrack[]; events: readonly Stream[] }) {
  const store = useTimelineStore();
  const place = useRef<HTMLDivElement>(null);
  const drag = useRef<{ what: 'from' | 'to' | 'move' | 'new'; t: number; from: number; to: number } | null>(
    null,
  );
  const [first, last] = useTimeline((s) => s.domain);
  const axis = useTimeline((s) => s.axis);
  const begin = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const span = axis.place(last) - axis.place(first);

  const draw = useMemo(() => {
    // The layer under the frame is drawn once: with millions of packets it costs as much as a track.
    const still = stillLayer((pen) => {
      const parts = rates.length;
      rates.forEach((track, i) => {
        const height = pen.height / parts;
        pen.ctx.save();
        pen.ctx.translate(0, i * height);
        paintLines({ ...pen, height }, track);
        pen.ctx.restore();
      });
      if (parts === 0) density(pen, events);
    });
    return (pen: Pen, state: TimelineState) => {
      still(pen);
      const { ctx, view, height, colors } = pen;
      const x0 = xOf(view, state.from);
      const x1 = xOf(view, state.to);
      ctx.globalAlpha = 0.75;
      ctx.fillStyle = colors.panel;
      ctx.fillRect(0, 0, x0, height);
      ctx.fillRect(x1, 0, view.width - x1, height);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colors.accent;
      ctx.lineWidth = 1.5;
      ctx.strokeRect(x0 + 0.75, 0.75, Math.max(2, x1 - x0 - 1.5), height - 1.5);
      ctx.fillStyle = colors.accent;
      for (const x of [x0, x1 - 3]) ctx.fillRect(x, height / 2 - 9, 3, 18);
    };
  }, [rates, events]);

  // Moving the view renders nothing. The ends of the frame, which assistive technology reads, are updated a few times
  // per second.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      timer = undefined;
      const { from, to } = store.getState();
      for (const [element, value] of [
        [begin.current, from],
        [end.current, to],
      ] as const) {
        if (!element) continue;
        const part = (axis.place(value) - axis.place(first)) / span;
        element.style.left = `${100 * part}%`;
        element.ariaValueNow = String(Math.round(1000 * part));
        element.ariaValueText = momentText(value, span);
      }
    };
    tell();
    const stop = store.subscribe((now, old) => {
      if (now.from !== old.from || now.to !== old.to) timer ??= setTimeout(tell, TELL_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store, axis, first, span]);

  function at(e: PointerEvent): { x: number; t: number; width: number } {
    const box = place.current!.getBoundingClientRect();
    const x = e.clientX - box.left;
    return { x, t: timeAt({ from: first, to: last, width: box.width, axis }, x), width: box.width };
  }
  function start(e: PointerEvent<HTMLDivElement>) {
    const { x, t, width } = at(e);
    const view = { from: first, to: last, width, axis };
    const state = store.getState();
    const [x0, x1] = [xOf(view, state.from), xOf(view, state.to)];
    const whole = state.from <= first && state.to >= last;
    const what =
      Math.abs(x - x0) < HANDLE_PX
        ? 'from'
        : Math.abs(x - x1) < HANDLE_PX
          ? 'to'
          : x > x0 && x < x1 && !whole
            ? 'move'
            : 'new';
    e.currentTarget.setPointerCapture(e.pointerId);
    drag.current = { what, t, from: state.from, to: state.to };
  }
  function move(e: PointerEvent) {
    const d = drag.current;
    if (!d) return;
    const { t } = at(e);
    if (d.what === 'move')
      pan(store, (axis.place(t) - axis.place(d.t)) / (axis.place(d.to) - axis.place(d.from)), d);
    else {
      const fixed = d.what === 'from' ? d.to : d.what === 'to' ? d.from : d.t;
      show(store, Math.min(fixed, t), Math.max(fixed, t));
    }
  }
  function keys(which: 'from' | 'to') {
    return (e: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[e.key];
      if (by === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      const { from, to } = store.getState();
      const moved = axis.time(axis.place(which === 'from' ? from : to) + (by * span) / 100);
      if (which === 'from') show(store, Math.min(moved, to), to);
      else show(store, from, Math.max(moved, from));
    };
  }
  const handle = (which: 'from' | 'to', label: string) => (
    <div
      ref={which === 'from' ? begin : end}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={1000}
      aria-valuenow={which === 'from' ? 0 : 1000}
      onKeyDown={keys(which)}
      className="pointer-events-none absolute inset-y-0 w-2 -translate-x-1 focus-visible:outline-2"
    />
  );
  return (
    <div
      ref={place}
      className="relative touch-none border-b select-none"
      data-overview
      data-time-surface
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onDoubleClick={() => show(store, first, last)}
    >
      <TimeCanvas height={HEIGHT} chosen={NOTHING} draw={draw} whole />
      {handle('from', 'Start of the visible range')}
      {handle('to', 'End of the visible range')}
    </div>
  );
}

/** Draws the number of events per pixel, if nothing is measured over time. */
function density({ ctx, view, height, colors }: Pen, events: readonly Stream[]): void {
  const counts = new Float64Array(Math.ceil(view.width) + 1);
  for (const stream of events)
    columns(stream, view, (x, from, to) => {
      counts[x]! += to - from;
    });
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  ctx.fillStyle = colors['line-strong'];
  counts.forEach((count, x) => {
    if (count === 0) return;
    const h = Math.max(3, ((height - 8) * Math.log1p(count)) / Math.log1p(most));
    ctx.fillRect(x, height - 4 - h, 1.5, h);
  });
}
