import type { EndTraffic, Faults, RunRecord } from '@verbslab/protocol';
import type { RunStream } from '../store/stream.js';

/** The counters of a device at some time, read by one endpoint of a run. */
export interface CounterReading extends Pick<EndTraffic, 'endpoint' | 'host' | 'device' | 'providerClass'> {
  /** Seconds, on a monotonic clock. */
  at: number;
  /** Null if the device has no counters. */
  values: Readonly<Record<string, number>> | null;
}

/** A run that has not ended, as the manager sees it. */
export interface ActiveRun {
  readonly id: string;
  readonly record: RunRecord;
  readonly stream: RunStream;
  /** Number of the agent's processes that the run holds. */
  readonly endpointCount: number;
  /** True while the run does nothing that would disturb another run’s figures. */
  readonly idle: boolean;
  /** Called when a page begins to follow the run: drawing takes CPU time. */
  watched?(): void;
  /** Returns the counters of the run's devices, read now or as last reported. Never rejects. */
  readCounters(): Promise<CounterReading[]>;
  /**
   * Sets the faults that the devices of all endpoints, or of one, inject into the packets that they send from now on.
   * Resolves with the names of the endpoints that do so. Throws AppError NO_FAULTS, FAULTS_REFUSED.
   */
  setFaults(only: string | undefined, faults: Faults): Promise<string[]>;
  /** Ends the run early. A final state follows soon. */
  stop(as: 'cancelled' | 'interrupted'): void;
}
