import type { RunRecord } from '@verbslab/protocol';
import type { RunStream } from './stream.js';

/** A run that has not ended, as the manager sees it. */
export interface ActiveRun {
  readonly id: string;
  readonly record: RunRecord;
  readonly stream: RunStream;
  /** Processes of the agent that it holds. */
  readonly endpointCount: number;
  /** True while it does nothing that another run’s figures would suffer from. */
  readonly idle: boolean;
  /** A page follows it from now on, and draws what it measures. */
  watched?(): void;
  /** Ends it early; it is in a final state soon after. */
  stop(as: 'cancelled' | 'interrupted'): void;
}
