import type { Sent, StreamParams } from './lab.js';

/** Bench to agent process. */
export type Command =
  /** Starts a run, which then waits. */
  | ({ type: 'start' } & StreamParams)
  /** Lets its records flow. */
  | { type: 'go' }
  | { type: 'close' };

/** Agent process to bench. */
export type Answer =
  | { type: 'up'; loginUrl: string; url: string }
  | { type: 'started'; runId: string }
  /** No more records flow. CPU is that of the agent's process while they did. */
  | { type: 'sent'; sent: Sent; cpuSeconds: number }
  /** The run has ended. */
  | { type: 'ended'; state: string; notRecorded: number; error: string | null };
