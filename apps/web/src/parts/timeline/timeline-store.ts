import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { Time } from './model/stream';
import { UNCUT, type TimeAxis } from './model/time-axis';

export interface TimelineState {
  /** The stretch in view. */
  from: Time;
  to: Time;
  /** All that there is. */
  domain: readonly [Time, Time];
  axis: TimeAxis;
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

export function createTimelineStore(domain: readonly [Time, Time], axis: TimeAxis = UNCUT): TimelineStore {
  return createStore<TimelineState>(() => ({
    from: domain[0],
    to: domain[1],
    domain,
    axis,
    following: true,
    hover: null,
    area: null,
    pinned: new Set(),
    turned: new Set(),
  }));
}

/** Shows a stretch: inside the domain, and not narrower than times can be told apart. */
export function show(store: TimelineStore, from: Time, to: Time): void {
  const { axis } = store.getState();
  showPlaces(store, axis.place(from), axis.place(to));
}

/** Shows a stretch of the axis. */
function showPlaces(store: TimelineStore, from: number, to: number): void {
  const { domain, axis } = store.getState();
  const [first, last] = domain.map((t) => axis.place(t)) as [number, number];
  const span = Math.min(last - first, Math.max(LEAST_SPAN_NS, to - from));
  const begin = Math.min(last - span, Math.max(first, from));
  store.setState({
    from: axis.time(begin),
    to: axis.time(begin + span),
    following: span >= last - first,
  });
}

/** The stretch in view, as places on the axis. */
function placesOf({ from, to, axis }: Pick<TimelineState, 'from' | 'to' | 'axis'>): [number, number] {
  return [axis.place(from), axis.place(to)];
}

/** Zooms by a factor, keeping a time where it is on the screen. */
export function zoom(store: TimelineStore, factor: number, around?: Time): void {
  const state = store.getState();
  const [from, to] = placesOf(state);
  const { hover, axis } = state;
  const given = around ?? hover;
  const at = given === null ? NaN : axis.place(given);
  const fixed = around !== undefined || (at >= from && at <= to) ? at : (from + to) / 2;
  showPlaces(store, fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
}

/** Moves the view by a part of its width. `start`: from this view, in place of the present one. */
export function pan(store: TimelineStore, part: number, start?: { from: Time; to: Time }): void {
  const [from, to] = placesOf({ ...store.getState(), ...start });
  const by = part * (to - from);
  showPlaces(store, from + by, to + by);
}

/** Moves a time into the middle of the view. */
export function center(store: TimelineStore, t: Time): void {
  const state = store.getState();
  const [from, to] = placesOf(state);
  const middle = state.axis.place(t);
  showPlaces(store, middle - (to - from) / 2, middle + (to - from) / 2);
}

/** Shows a stretch with room around it. */
export function fit(store: TimelineStore, from: Time, to: Time): void {
  const [a, b] = placesOf({ ...store.getState(), from, to });
  const room = Math.max((b - a) * 0.15, LEAST_SPAN_NS);
  showPlaces(store, a - room, b + room);
}

/** A run in progress grows. */
export function grow(
  store: TimelineStore,
  domain: readonly [Time, Time],
  axis = store.getState().axis,
): void {
  const { following, domain: old, axis: was } = store.getState();
  if (old[0] === domain[0] && old[1] === domain[1] && was === axis) return;
  store.setState({ domain, axis, ...(following ? { from: domain[0], to: domain[1] } : {}) });
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
