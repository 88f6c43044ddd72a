/** Points of the checker, by task. */
import { ATOMICS_POINTS } from './atomics/points.js';
import { CLEAN_UP_POINTS } from './clean-up/points.js';
import { SET_UP_POINTS, TIDY_POINTS } from './common-points.js';
import { IMMEDIATE_POINTS } from './immediate/points.js';
import type { Point } from './point.js';
import { READ_POINTS } from './read/points.js';
import { SEND_POINTS } from './send/points.js';
import { WRITE_POINTS } from './write/points.js';

export const POINTS = {
  'set-up': [...SET_UP_POINTS, ...TIDY_POINTS],
  send: SEND_POINTS,
  immediate: IMMEDIATE_POINTS,
  write: WRITE_POINTS,
  read: READ_POINTS,
  atomics: ATOMICS_POINTS,
  'clean-up': CLEAN_UP_POINTS,
} as const satisfies Record<string, readonly Point[]>;
