import type { EndTraffic, Faults, RunRecord } from '@verbslab/protocol';
import type { RunStream } from '../store/stream.js';

/** What the counters of a device say at a time, as one endpoint of a run reads them. */
export interface CounterReading extends Pick<EndTraffic, 'endpoint' | 'host' | 'device' | 'providerClass'> {
  /** Seconds, on a clock that never goes back. */
  at: number;
  /** Null when the device has none. */
  values: Readonly<Record<string, number>> | null;
}

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
  /** The counters of its devices, as they are now or were reported last. Never rejects. */
  readCounters(): Promise<CounterReading[]>;
  /**
   * What the devices of its endpoints, or of one, do to the packets that they send from now on. Resolves with the names
   * of those that do it. Throws AppError NO_FAULTS, FAULTS_REFUSED.
   */
  setFaults(only: string | undefined, faults: Faults): Promise<string[]>;
  /** Ends it early; it is in a final state soon after. */
  stop(as: 'cancelled' | 'interrupted'): void;
}
