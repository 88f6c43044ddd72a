/** Layers of a chart from bottom to top, as z-indexes of recharts. In recharts, marks have 0, lines 400, axes 500. */
export const LAYERS = {
  /** Shaded background, below the grid. */
  ground: -200,
  areas: 100,
  /** Ranges of values, below their lines. */
  ranges: 300,
  lines: 400,
  /** Veils that dim everything drawn before them. */
  veils: 450,
  marks: 600,
  names: 1000,
} as const;
