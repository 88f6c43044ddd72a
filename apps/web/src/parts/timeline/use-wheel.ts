import { useEffect, type RefObject } from 'react';
import { pan, useTimelineStore, zoom } from './timeline-store';

/** Pixels of a wheel that double or halve the stretch in view. */
const DOUBLE_PX = 300;

/**
 * The wheel zooms around the pointer, as on a map, once the timeline has the focus; until then it scrolls the page, and
 * zooms with Ctrl or Cmd. Sideways, or with Shift, it moves the view.
 */
export function useWheel(root: RefObject<HTMLElement | null>): void {
  const store = useTimelineStore();
  useEffect(() => {
    const element = root.current!;
    function onWheel(e: WheelEvent): void {
      if (!(e.target instanceof Element) || !e.target.closest('[data-time-surface]')) return;
      const width = e.target.clientWidth || 1;
      const sideways = e.shiftKey ? e.deltaY || e.deltaX : e.deltaX;
      const focused = element.contains(document.activeElement);
      if (e.ctrlKey || e.metaKey || (focused && !e.shiftKey && Math.abs(e.deltaY) > Math.abs(e.deltaX))) {
        e.preventDefault();
        zoom(store, 2 ** (e.deltaY / DOUBLE_PX));
      } else if (sideways !== 0 && (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))) {
        e.preventDefault();
        pan(store, sideways / width);
      }
    }
    // React's own wheel events cannot keep the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [root, store]);
}
