import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { Time } from './model/stream';

export interface TimelineState {
  /** The stretch in view. */
  from: Time;
  to: Time;
  /** All that there is. */
  domain: readonly [Time, Time];
  /** While a run grows, the view shows all of it, until the reader moves the view. */
  following: boolean;
  /** Under the pointer. */
  hover: Time | null;
  /** A stretch that was marked, for its figures. */
  area: readonly [Time, Time] | null;
  pinned: ReadonlySet<string>;
  /** Groups that the reader has folded or unfolded. */
  turned: ReadonlySet<string>;
}

export type TimelineStore = StoreApi<TimelineState>;

/** Deeper, a nanosecond would be wider than the screen. */
const LEAST_SPAN_NS = 20;

export function createTimelineStore(domain: readonly [Time, Time]): TimelineStore {
  return createStore<TimelineState>(() => ({
    from: domain[0],
    to: domain[1],
    domain,
    following: true,
    hover: null,
    area: null,
    pinned: new Set(),
    turned: new Set(),
  }));
}

/** Shows a stretch: inside the domain, and not narrower than times can be told apart. */
export function show(store: TimelineStore, from: Time, to: Time): void {
  const [first, last] = store.getState().domain;
  const span = Math.min(last - first, Math.max(LEAST_SPAN_NS, to - from));
  const begin = Math.min(last - span, Math.max(first, from));
  store.setState({ from: begin, to: begin + span, following: span >= last - first });
}

/** Zooms by a factor, keeping a time where it is on the screen. */
export function zoom(store: TimelineStore, factor: number, around?: Time): void {
  const { from, to, hover } = store.getState();
  const fixed = around ?? (hover !== null && hover >= from && hover <= to ? hover : (from + to) / 2);
  show(store, fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
}

/** Moves the view by a part of its width. */
export function pan(store: TimelineStore, part: number): void {
  const { from, to } = store.getState();
  const by = part * (to - from);
  show(store, from + by, to + by);
}

/** Shows a stretch with room around it. */
export function fit(store: TimelineStore, from: Time, to: Time): void {
  const room = Math.max((to - from) * 0.15, LEAST_SPAN_NS);
  show(store, from - room, to + room);
}

/** A run in progress grows. */
export function grow(store: TimelineStore, domain: readonly [Time, Time]): void {
  const { following, domain: old } = store.getState();
  if (old[0] === domain[0] && old[1] === domain[1]) return;
  store.setState({ domain, ...(following ? { from: domain[0], to: domain[1] } : {}) });
}

export function toggle(store: TimelineStore, what: 'pinned' | 'turned', id: string): void {
  const next = new Set(store.getState()[what]);
  if (!next.delete(id)) next.add(id);
  store.setState({ [what]: next });
}

export const TimelineContext = createContext<TimelineStore | null>(null);

export function useTimelineStore(): TimelineStore {
  const store = useContext(TimelineContext);
  if (!store) throw new Error('a part of a timeline outside of one');
  return store;
}

export function useTimeline<T>(select: (state: TimelineState) => T): T {
  return useStore(useTimelineStore(), select);
}
