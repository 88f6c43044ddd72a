// No schemas here: pages use the states of runs, and must not load a validator for them.

import type { RunRow } from './run-row-schema.js';

/**
 * A run is a state machine owned by the agent:
 *
 *   created -> preparing -> running -> draining -> done
 *
 * and from each of the first four also to failed, cancelled or (found so after the agent was killed) interrupted.
 */
export const RUN_STATES = [
  'created',
  'preparing',
  'running',
  'draining',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type RunState = (typeof RUN_STATES)[number];

const END: readonly RunState[] = ['failed', 'cancelled', 'interrupted'];

const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  created: ['preparing', ...END],
  preparing: ['running', ...END],
  running: ['draining', ...END],
  draining: ['done', ...END],
  done: [],
  failed: [],
  cancelled: [],
  interrupted: [],
};

export function canMove(from: RunState, to: RunState): boolean {
  return NEXT[from].includes(to);
}

/** True for the four final states. */
export function isFinal(state: RunState): boolean {
  return NEXT[state].length === 0;
}

/**
 * Text on the part of a run that partial figures cover: `until it was cancelled after 3.1 s`. `after` is absent if the
 * run did not start.
 */
export function untilText(state: RunState, after?: string): string {
  const how = state === 'failed' ? 'failed' : `was ${state}`;
  return `until it ${how}${after === undefined ? '' : ` after ${after}`}`;
}

/**
 * Duration of a run in seconds, on the clock of its events, which begins when it is created. Null unless it has run and
 * ended.
 */
export function runSeconds({
  createdAt,
  startedAt,
  endedAt,
}: Pick<RunRow, 'createdAt' | 'startedAt' | 'endedAt'>): number | null {
  return startedAt === null || endedAt === null ? null : Math.max(0, (endedAt - createdAt) / 1000);
}
