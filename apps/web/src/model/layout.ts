/** Layout of the panels of a run page. Plain data and pure functions; the page keeps it in localStorage. */

export interface PanelSpec {
  id: string;
  /** Width in columns; the grid has twelve. */
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

/** The saved layout as far as it is still valid, with defaults for the rest. */
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

/** Rows of panels, in order: each row takes as many panels as fit its twelve columns. */
function rowsOf(group: readonly string[], layout: Layout): string[][] {
  const rows: string[][] = [];
  let room = 0;
  for (const id of group) {
    const { span } = layout[id]!;
    if (span > room) {
      rows.push([]);
      room = MAX_SPAN;
    }
    rows.at(-1)!.push(id);
    room -= span;
  }
  return rows;
}

/** Divides all columns of a row among its panels by their spans, and gives all of them the largest height. */
function fill(row: readonly string[], layout: Layout): Layout {
  const sum = row.reduce((n, id) => n + layout[id]!.span, 0);
  const height = Math.max(...row.map((id) => layout[id]!.height));
  let used = 0;
  let end = 0;
  return Object.fromEntries(
    row.map((id) => {
      used += layout[id]!.span;
      const begin = end;
      end = Math.round((used * MAX_SPAN) / sum);
      return [id, { ...layout[id]!, span: end - begin, height }];
    }),
  );
}

/** Positions of the panels of a grid on the screen, without gaps in a row. `group`: their ids, in order. */
export function arrange(group: readonly string[], layout: Layout): Layout {
  return Object.assign({}, ...rowsOf(group, layout).map((row) => fill(row, layout))) as Layout;
}

/**
 * Resizes a panel by columns and pixels. Its neighbor gets narrower by as much as it gets wider, and the row keeps a
 * common height.
 */
export function resize(
  layout: Layout,
  group: readonly string[],
  id: string,
  columns: number,
  pixels: number,
): Layout {
  const row = rowsOf(group, layout).find((one) => one.includes(id));
  if (!row) return layout;
  const shown = fill(row, layout);
  const at = row.indexOf(id);
  const neighbor = row[at + 1] ?? row[at - 1];
  const height = clamp(Math.round((shown[id]!.height + pixels) / 8) * 8, MIN_HEIGHT, MAX_HEIGHT);
  // A panel alone in its row is measured by its own span: the next panel moves up beside it if both fit.
  const old = neighbor ? shown[id]!.span : layout[id]!.span;
  const most = neighbor ? old + shown[neighbor]!.span - MIN_SPAN : MAX_SPAN;
  const span = clamp(old + Math.round(columns), MIN_SPAN, most);
  if (span === old && height === shown[id]!.height) return layout;
  const next: Record<string, PanelPlace> = { ...layout };
  for (const one of row) next[one] = { ...(neighbor ? shown : layout)[one]!, height };
  next[id] = { ...next[id]!, span };
  if (neighbor) next[neighbor] = { ...next[neighbor]!, span: next[neighbor]!.span - (span - old) };
  return next;
}

export function togglePin(layout: Layout, id: string): Layout {
  const old = layout[id];
  return old ? { ...layout, [id]: { ...old, pinned: !old.pinned } } : layout;
}

export function isDefault(specs: readonly PanelSpec[], layout: Layout): boolean {
  return specs.every(({ id, span, height }) => {
    const place = layout[id];
    return place?.span === span && place.height === height && !place.pinned;
  });
}
