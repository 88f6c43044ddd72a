/** Where the panels of a run page stand. Plain data and pure functions; the page keeps it in localStorage. */

export interface PanelSpec {
  id: string;
  /** Columns of twelve. */
  span: number;
  /** Pixels. */
  height: number;
}

export interface PanelPlace {
  span: number;
  height: number;
  pinned: boolean;
}

export type Layout = Readonly<Record<string, PanelPlace>>;

export const MIN_SPAN = 3;
export const MAX_SPAN = 12;
export const MIN_HEIGHT = 160;
export const MAX_HEIGHT = 960;

const clamp = (n: number, lo: number, hi: number) => Math.min(hi, Math.max(lo, n));

export function defaultLayout(specs: readonly PanelSpec[]): Layout {
  return Object.fromEntries(specs.map((s) => [s.id, { span: s.span, height: s.height, pinned: false }]));
}

/** What was saved, as far as it still makes sense; the rest as designed. */
export function reconcile(specs: readonly PanelSpec[], saved: unknown): Layout {
  const from = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
  const out: Record<string, PanelPlace> = {};
  for (const s of specs) {
    const p = from[s.id];
    const place = typeof p === 'object' && p !== null ? (p as Partial<PanelPlace>) : {};
    out[s.id] = {
      span: Number.isInteger(place.span) ? clamp(place.span!, MIN_SPAN, MAX_SPAN) : s.span,
      height: Number.isFinite(place.height) ? clamp(place.height!, MIN_HEIGHT, MAX_HEIGHT) : s.height,
      pinned: place.pinned === true,
    };
  }
  return out;
}

export function resize(layout: Layout, id: string, span: number, height: number): Layout {
  const old = layout[id];
  if (!old) return layout;
  const next = {
    ...old,
    span: clamp(Math.round(span), MIN_SPAN, MAX_SPAN),
    height: clamp(Math.round(height / 8) * 8, MIN_HEIGHT, MAX_HEIGHT),
  };
  return next.span === old.span && next.height === old.height ? layout : { ...layout, [id]: next };
}

export function togglePin(layout: Layout, id: string): Layout {
  const old = layout[id];
  return old ? { ...layout, [id]: { ...old, pinned: !old.pinned } } : layout;
}
