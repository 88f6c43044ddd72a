import { firstAfter, spanAt, type Row, type Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import { timeAt, xOf, type Item, type Palette, type Pen, type View } from './pen';

const ROW_PX = 18;
const BAR_PX = 14;
const TOP_PX = 5;
/** Width below which a label is omitted. */
const LEAST_LABEL_PX = 28;

const FILL: Record<Span['tone'], keyof Palette> = {
  request: 'rdma',
  error: 'error',
  call: 'line-strong',
  step: 'accent',
  state: 'ok-ink',
  quiet: 'line-strong',
};
/** Opacity of the fill, which labels are drawn on. */
const STRENGTH: Record<Span['tone'], number> = {
  request: 0.3,
  error: 0.35,
  call: 0.3,
  step: 0.2,
  state: 0.22,
  quiet: 0.18,
};

/** Opacity of the parts of a request, by the stage at which they begin. */
const STAGE_STRENGTH: Record<string, number> = {
  posted: 0.15,
  'first packet': 0.75,
  'last packet': 0.4,
  acknowledged: 0.25,
  CQE: 0.1,
};

function bar(pen: Pen, span: Span, x0: number, x1: number, y: number): void {
  const { ctx, colors, view } = pen;
  const width = Math.max(1, x1 - x0);
  ctx.fillStyle = colors[FILL[span.tone]];
  if (width < 3) {
    ctx.globalAlpha = 0.85;
    ctx.fillRect(x0, y, width, BAR_PX);
    ctx.globalAlpha = 1;
    return;
  }
  const stages = span.stages ?? [];
  if (stages.length > 1) {
    stages.forEach(({ t, name }, i) => {
      const next = stages[i + 1];
      if (!next) return;
      const a = Math.max(0, xOf(view, t));
      const b = Math.min(view.width, xOf(view, next.t));
      if (b <= a) return;
      ctx.globalAlpha = STAGE_STRENGTH[name] ?? STRENGTH[span.tone];
      ctx.fillRect(a, y, b - a, BAR_PX);
    });
  } else {
    ctx.globalAlpha = STRENGTH[span.tone];
    ctx.fillRect(x0, y, width, BAR_PX);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colors[FILL[span.tone]];
  ctx.lineWidth = 1;
  ctx.strokeRect(x0 + 0.5, y + 0.5, width - 1, BAR_PX - 1);
  if (width < LEAST_LABEL_PX) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x0 + 3, y, width - 6, BAR_PX);
  ctx.clip();
  ctx.lineWidth = 3;
  ctx.lineJoin = 'round';
  ctx.strokeStyle = colors.panel;
  ctx.strokeText(span.label, x0 + 4, y + BAR_PX - 3.5);
  ctx.fillStyle = colors.ink;
  ctx.fillText(span.label, x0 + 4, y + BAR_PX - 3.5);
  ctx.restore();
}

function row(pen: Pen, spans: Row, y: number): void {
  const { view } = pen;
  for (let i = firstAfter(spans, view.from); i < spans.length;) {
    const span = spans[i]!;
    if (span.from > view.to) break;
    const x0 = Math.max(-1, xOf(view, span.from));
    const x1 = Math.min(view.width + 1, xOf(view, span.to));
    bar(pen, span, x0, x1, y);
    // Skips spans that end in the same pixel: they would not be visible.
    i = x1 - x0 >= 1 ? i + 1 : Math.max(i + 1, firstAfter(spans, timeAt(view, Math.floor(x0) + 1), i));
  }
}

export function paintSpans(pen: Pen, track: SpanTrack): void {
  track.rows.forEach((spans, i) => row(pen, spans, TOP_PX + i * ROW_PX));
  // A chosen span may be among many in a pixel and not be drawn itself, so its frame is drawn separately.
  const chosen = pen.chosen[track.of];
  if (chosen.size === 0) return;
  track.rows.forEach((spans, i) => {
    for (const span of spans) {
      if (!chosen.has(span.ref)) continue;
      const x0 = xOf(pen.view, span.from);
      const x1 = xOf(pen.view, span.to);
      if (x1 < 0 || x0 > pen.view.width) continue;
      pen.ctx.strokeStyle = pen.colors.accent;
      pen.ctx.lineWidth = 2;
      pen.ctx.strokeRect(
        Math.max(-2, x0 - 1),
        TOP_PX + i * ROW_PX - 1,
        Math.max(3, Math.min(pen.view.width + 2, x1) - Math.max(-2, x0) + 2),
        BAR_PX + 2,
      );
    }
  });
}

const itemOf = (track: SpanTrack, span: Span): Item => ({
  of: track.of,
  ref: span.ref,
  t: span.from,
  text: span.label,
});

/** Pixels beside a narrow bar that still select it. */
const REACH_PX = 4;

export function hitSpans(track: SpanTrack, view: View, x: number, y: number): Item | null {
  const spans = track.rows[Math.floor((y - TOP_PX + 2) / ROW_PX)];
  if (!spans) return null;
  const span =
    spanAt(spans, timeAt(view, x), timeAt(view, x)) ??
    spanAt(spans, timeAt(view, x - REACH_PX), timeAt(view, x + REACH_PX));
  return span && itemOf(track, span);
}

const kept = new WeakMap<SpanTrack, Item[]>();

/** All spans in order of time. */
export function spanItems(track: SpanTrack): Item[] {
  let items = kept.get(track);
  if (!items) {
    const spans = track.rows.flat().toSorted((a, b) => a.from - b.from);
    kept.set(track, (items = spans.map((span) => itemOf(track, span))));
  }
  return items;
}
