'use client';
import { useEffect, useLayoutEffect, useRef, type CanvasHTMLAttributes } from 'react';
import { paletteOf, type Chosen, type Palette, type Pen } from './draw/pen';
import { useTimelineStore, type TimelineState } from './timeline-store';

const FONT = '11px "Geist Mono", ui-monospace, monospace';

let palette: Palette | null = null;
let theme = '';

/** Colors of the current theme. */
function currentPalette(): Palette {
  const now = document.documentElement.className;
  if (!palette || theme !== now) [palette, theme] = [paletteOf(document.documentElement), now];
  return palette;
}

/** Last drawing of each canvas, to repeat after a change of theme. */
const redraws = new Set<() => void>();
let watching: MutationObserver | null = null;

function watchTheme(): void {
  if (watching) return;
  watching = new MutationObserver(() => redraws.forEach((f) => f()));
  watching.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
}

export interface TimeCanvasProps extends CanvasHTMLAttributes<HTMLCanvasElement> {
  height: number;
  chosen: Chosen;
  /** Draws the visible part. A new function if there is something new to draw. */
  draw: (pen: Pen, state: TimelineState) => void;
  /** True if the view is the whole domain, as in an overview. */
  whole?: boolean;
}

/**
 * A canvas on the time axis. It draws at most once per frame, only after a change of the view or of its data, and only
 * while it is in sight. Moving the view renders nothing else.
 */
export function TimeCanvas({ height, chosen, draw, whole = false, ...props }: TimeCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useTimelineStore();
  const frame = useRef(0);
  const inSight = useRef(true);
  const stale = useRef(true);
  const render = useRef(() => {});
  /** Cached, because reading it from the element would force a layout in each frame. */
  const measured = useRef<number | null>(null);

  useLayoutEffect(() => {
    render.current = () => {
      const element = canvas.current;
      if (!element || !inSight.current) {
        stale.current = true;
        return;
      }
      stale.current = false;
      const width = (measured.current ??= element.clientWidth);
      const density = window.devicePixelRatio || 1;
      const [w, h] = [Math.round(width * density), Math.round(height * density)];
      const ctx = element.getContext('2d')!;
      if (element.width !== w || element.height !== h) {
        [element.width, element.height] = [w, h];
        // Setting the font resolves the styles of the page. The font stays set until the size changes.
        ctx.font = FONT;
      }
      ctx.setTransform(density, 0, 0, density, 0, 0);
      ctx.clearRect(0, 0, width, height);
      const state = store.getState();
      const [from, to] = whole ? state.domain : [state.from, state.to];
      draw(
        { ctx, view: { from, to, width, axis: state.axis }, height, colors: currentPalette(), chosen },
        state,
      );
    };
    schedule();
  });

  function schedule(): void {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      render.current();
    });
  }

  useEffect(() => {
    watchTheme();
    redraws.add(schedule);
    const stop = store.subscribe((now, old) => {
      if (
        now.from !== old.from ||
        now.to !== old.to ||
        now.domain !== old.domain ||
        now.axis !== old.axis ||
        now.area !== old.area ||
        now.hover !== old.hover
      )
        schedule();
    });
    const size = new ResizeObserver(() => {
      measured.current = null;
      schedule();
    });
    size.observe(canvas.current!);
    const sight = new IntersectionObserver(
      ([entry]) => {
        inSight.current = entry!.isIntersecting;
        if (inSight.current && stale.current) schedule();
      },
      { rootMargin: '200px' },
    );
    sight.observe(canvas.current!);
    return () => {
      redraws.delete(schedule);
      stop();
      size.disconnect();
      sight.disconnect();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [store]);

  return <canvas ref={canvas} aria-hidden className="block w-full" style={{ height }} {...props} />;
}
