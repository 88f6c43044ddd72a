/** What the checker looks at, by task. */
import { SET_UP_POINTS, TIDY_POINTS } from './common-points.js';
import type { Point } from './point.js';

export const POINTS = {
  'set-up': [...SET_UP_POINTS, ...TIDY_POINTS],
} as const satisfies Record<string, readonly Point[]>;
