'use client';
import { createContext, useContext, useEffect, useState, type RefObject } from 'react';

/** True if the surrounding panel is in sight. A panel out of sight is not drawn while a run streams. */
export const PanelVisible = createContext(true);

export function usePanelVisible(): boolean {
  return useContext(PanelVisible);
}

/**
 * Watches whether an element is in sight. A margin around the window counts too, so that scrolling finds panels drawn.
 */
export function useInSight(ref: RefObject<Element | null>): boolean {
  const [inSight, setInSight] = useState(true);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    const watch = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? true), {
      rootMargin: '120px',
    });
    watch.observe(el);
    return () => watch.disconnect();
  }, [ref]);
  return inSight;
}

/** True once an element has come within about a window's height of the visible area: the time to load its content. */
export function useCameNear(ref: RefObject<Element | null>): boolean {
  const [came, setCame] = useState(false);
  useEffect(() => {
    const el = ref.current;
    if (came || !el) return;
    const watch = new IntersectionObserver(([entry]) => setCame(entry?.isIntersecting ?? true), {
      rootMargin: '80%',
    });
    watch.observe(el);
    return () => watch.disconnect();
  }, [came, ref]);
  return came;
}
