import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useRef, type RefObject } from 'react';
import { show, useTimelineStore } from './timeline-store';

/** Time without a change of the view after which the address is updated, ms. */
const REST_MS = 400;
/** Time shown on each side of the moment in the address. */
const AROUND_NS = 10e6;

function numberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Keeps the time span in view in the address (`from`, `to`), and opens an address: its time span, the surroundings of
 * its moment (`t`), or else the selection. All in nanoseconds since the start of the axis.
 */
export function useViewInAddress(
  root: RefObject<HTMLElement | null>,
  complete: boolean,
  fitSelection: () => void,
): void {
  const store = useTimelineStore();
  const router = useRouter();
  const path = usePathname();
  const opened = useRef(false);
  const fitting = useRef(fitSelection);
  useEffect(() => {
    fitting.current = fitSelection;
  });
  useEffect(() => {
    // The end of a run is known when all of it has arrived.
    if (!complete || opened.current) return;
    opened.current = true;
    const query = new URLSearchParams(location.search);
    const [from, to, t] = ['from', 'to', 't'].map((name) => numberOf(query, name));
    if (from != null && to != null && to > from) show(store, from, to);
    else if (t != null) {
      show(store, t - AROUND_NS / 2, t + AROUND_NS / 2);
      store.setState({ hover: t });
    } else if (['wr', 'event'].some((name) => query.has(name))) fitting.current();
    else return;
    root.current?.scrollIntoView({ block: 'start' });
  }, [complete, store, root]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = store.subscribe((now, old) => {
      if (now.from === old.from && now.to === old.to) return;
      clearTimeout(timer);
      if (!opened.current) return;
      timer = setTimeout(() => {
        const query = new URLSearchParams(location.search);
        const { from, to, following } = store.getState();
        query.delete('t');
        if (following) {
          query.delete('from');
          query.delete('to');
        } else {
          query.set('from', String(Math.round(from)));
          query.set('to', String(Math.round(to)));
        }
        // A view that only grows with its run adds nothing, and would undo a click on a link just before.
        if (query.toString() === new URLSearchParams(location.search).toString()) return;
        router.replace(`${path}?${query}`, { scroll: false });
      }, REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [store, router, path]);
}
