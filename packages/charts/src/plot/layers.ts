/** What lies over what in a chart, as z-indexes of recharts: marks of its own have 0, lines 400, axes 500. */
export const LAYERS = {
  /** Shaded ground, below the grid. */
  ground: -200,
  areas: 100,
  /** Ranges of values, below their lines. */
  ranges: 300,
  lines: 400,
  /** Dims what is drawn before it. */
  veils: 450,
  marks: 600,
  names: 1000,
} as const;
