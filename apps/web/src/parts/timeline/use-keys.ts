import { useState, type KeyboardEvent, type RefObject } from 'react';
import { kindOf } from './kinds';
import type { Item } from './draw/pen';
import type { Track } from './model/track';
import { center, pan, show, useTimelineStore, zoom } from './timeline-store';

/** Position of the keys: a track, and the last item chosen in it. */
export interface KeyPlace {
  track: string;
  item: Item | null;
}

interface Actions {
  /** Visible tracks, from top to bottom. */
  tracks: readonly Track[];
  onSelect: (item: Item) => void;
  fitSelection: () => void;
  toggleTable: () => void;
  /** Clears the marked stretch, or else the selection; false if there was neither. */
  clear: () => boolean;
}

const FIELDS = ['INPUT', 'TEXTAREA', 'SELECT'];

/** Handles the keys of a timeline, and keeps their position. */
export function useKeys(root: RefObject<HTMLElement | null>, actions: Actions) {
  const { tracks, onSelect, fitSelection, toggleTable, clear } = actions;
  const store = useTimelineStore();
  const [place, setPlace] = useState<KeyPlace | null>(null);

  /** Moves to the next or the previous item of the track, and into the view. */
  function go(by: 1 | -1): void {
    const track =
      tracks.find(({ id }) => id === place?.track) ?? tracks.find((t) => kindOf(t).next?.(t, null, 1));
    const item = track && kindOf(track).next?.(track, place?.item ?? null, by);
    if (!track || !item) return;
    setPlace({ track: track.id, item });
    onSelect(item);
    const { from, to } = store.getState();
    if (item.t < from || item.t > to) center(store, item.t);
  }
  function change(by: 1 | -1): void {
    const at = tracks.findIndex(({ id }) => id === place?.track);
    const next = tracks[Math.min(tracks.length - 1, Math.max(0, at + by))];
    if (!next) return;
    setPlace({ track: next.id, item: place?.item ?? null });
    root.current
      ?.querySelector(`[data-track="${CSS.escape(next.id)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }
  const does: Record<string, () => unknown> = {
    w: () => zoom(store, 1 / 1.4),
    s: () => zoom(store, 1.4),
    a: () => pan(store, -0.2),
    d: () => pan(store, 0.2),
    f: fitSelection,
    t: toggleTable,
    Home: () => show(store, ...store.getState().domain),
    ArrowRight: () => go(1),
    ArrowLeft: () => go(-1),
    ArrowDown: () => change(1),
    ArrowUp: () => change(-1),
    Escape: clear,
  };
  function onKeyDown(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target instanceof HTMLElement && FIELDS.includes(e.target.tagName)) return;
    const action = does[e.key];
    // An Escape that clears nothing is left to the page.
    if (!action || action() === false) return;
    e.preventDefault();
    e.stopPropagation();
  }
  return { onKeyDown, place, setPlace };
}
