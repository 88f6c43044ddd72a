import type { Color, Shape } from './model/track';

/** Look of an item in a track. Without a shape or a line, it is an area. */
export interface Sign {
  name: string;
  color: Color;
  shape?: Shape;
  line?: boolean;
  dashed?: boolean;
  /** True for a paler color, for items behind the others. */
  pale?: boolean;
}

const SHAPES: Readonly<Record<Shape, { d: string; filled?: boolean }>> = {
  tick: { d: 'M6 1V9' },
  cross: { d: 'M3 2L9 8M3 8L9 2' },
  triangle: { d: 'M6 1L10 9H2Z', filled: true },
  diamond: { d: 'M6 1L10 5L6 9L2 5Z' },
  dot: { d: 'M3.5 5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0', filled: true },
};

/** Small version of a sign for legends. */
export function TrackSign({ color, shape, line = false, dashed = false, pale = false }: Sign) {
  const paint = `var(--${color})`;
  if (!shape && !line)
    return (
      <span
        aria-hidden
        className="inline-block size-2"
        style={{ background: paint, opacity: pale ? 0.4 : 1 }}
      />
    );
  const of = shape && SHAPES[shape];
  return (
    <svg width="12" height="10" aria-hidden className="shrink-0" stroke={paint} strokeWidth="1.5" fill="none">
      {line ? <path d="M0 5H12" strokeDasharray={dashed ? '3 2' : undefined} /> : null}
      {of ? <path d={of.d} fill={of.filled ? paint : 'none'} /> : null}
    </svg>
  );
}
