import { useRef, type PointerEvent, type RefObject } from 'react';
import { timeAt, type View } from './draw/pen';
import { pan, useTimelineStore } from './timeline-store';

/** Longest movement of a press that still counts as a click. */
const CLICK_PX = 4;

export interface TimeHandlers {
  onPointerDown: (e: PointerEvent<HTMLElement>) => void;
  onPointerMove: (e: PointerEvent<HTMLElement>) => void;
  onPointerUp: (e: PointerEvent<HTMLElement>) => void;
  onPointerCancel: () => void;
  onPointerLeave: () => void;
}

/**
 * Pointer actions on the tracks: a drag marks a stretch; with Shift, the middle button or a finger it moves the view; a
 * click selects the item there. `onPoint` gets the position of the pointer, or null once it has left.
 */
export function usePointer(
  surface: RefObject<HTMLElement | null>,
  onClick: (x: number, y: number, view: View) => void,
  onPoint: (at: { x: number; y: number; view: View } | null) => void,
): TimeHandlers {
  const store = useTimelineStore();
  const press = useRef<{ x: number; from: number; to: number; pans: boolean; moved: boolean } | null>(null);

  function place(e: PointerEvent): { x: number; y: number; view: View } {
    const box = surface.current!.getBoundingClientRect();
    const { from, to, axis } = store.getState();
    return { x: e.clientX - box.left, y: e.clientY - box.top, view: { from, to, width: box.width, axis } };
  }
  return {
    onPointerDown(e) {
      if (e.button > 1) return;
      const { x } = place(e);
      const { from, to } = store.getState();
      e.currentTarget.setPointerCapture(e.pointerId);
      press.current = {
        x,
        from,
        to,
        pans: e.shiftKey || e.button === 1 || e.pointerType === 'touch',
        moved: false,
      };
    },
    onPointerMove(e) {
      const at = place(e);
      const p = press.current;
      store.setState({ hover: timeAt(at.view, at.x) });
      if (!p) {
        onPoint(at);
        return;
      }
      if (!p.moved && Math.abs(at.x - p.x) < CLICK_PX) return;
      p.moved = true;
      onPoint(null);
      const start: View = { ...at.view, from: p.from, to: p.to };
      if (p.pans) pan(store, (p.x - at.x) / start.width, p);
      else {
        const ends = [timeAt(start, p.x), timeAt(start, at.x)].sort((a, b) => a - b) as [number, number];
        store.setState({ area: ends });
      }
    },
    onPointerUp(e) {
      const p = press.current;
      press.current = null;
      if (!p || p.moved) return;
      const at = place(e);
      onClick(at.x, at.y, at.view);
    },
    onPointerCancel() {
      press.current = null;
    },
    onPointerLeave() {
      store.setState({ hover: null });
      onPoint(null);
    },
  };
}
