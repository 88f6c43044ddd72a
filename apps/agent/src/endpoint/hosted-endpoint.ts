import type { EndpointHandle, EndpointMessage, ErrorInfo, Faults } from '@verbslab/protocol';
import type { FrameMemory } from '../base/frame-memory.js';

/** The end of an endpoint’s process. */
export interface EndpointExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Last error that the endpoint reported before its end, if any. */
  error?: ErrorInfo;
}

/** Events of an endpoint as they arrive over its channel: stamped on the run’s clock. */
export type EndpointEvents = Extract<EndpointMessage, { events: unknown }>['events'];

export interface SpawnOptions {
  /** Role of the endpoint in the lab. */
  name: string;
  /** Device to open. */
  device: string;
  /** The user of the endpoint, in words for people: `Run 12 (“Bulk transfer”)`. */
  purpose?: string;
  /** Path of the network namespace to start it in. Default: the agent's own. */
  netns?: string;
  /** CLOCK_MONOTONIC (ns, `process.hrtime.bigint()`) at which the run’s clock reads 0. */
  clock: bigint;
  /** Called with events in order. The manager adds their `endpoint`. */
  onEvents(events: EndpointEvents): void;
  /**
   * Called with a whole binary frame (frames.ts) with run and seq 0. The receiver owns the memory: it must not be a
   * view of a buffer that is reused. Frames and events of an endpoint may overtake each other only across channels.
   */
  onFrame(frame: Uint8Array): void;
  /** Source of memory for frames; the receiver gives it back there. */
  memory?: FrameMemory;
  /** Aborting kills the process at once, also while it still starts. */
  signal?: AbortSignal;
  /** Lines that the child wrote to stdout or stderr. */
  onLog(text: string): void;
}

/** The agent’s side of an endpoint process. */
export interface HostedEndpoint extends EndpointHandle {
  readonly pid: number;
  /**
   * Measures how far the clock of another host has gone ahead since the endpoint was opened, ns, as far as that is
   * known (± `errorNs`); null if it cannot be measured. Absent on this host.
   */
  drift?(): Promise<{ driftNs: number; errorNs: number } | null>;
  /**
   * Loses and delays the packets that a virtual machine of this host sends, until the endpoint is closed. Present for
   * its kernel devices. Rejects with NO_FAULTS for faults that tc-netem(8) cannot inject.
   */
  netem?(faults: Faults): Promise<void>;
  /** Resolves when the process has ended, in any way; never rejects. Pending calls reject with ENDPOINT_DIED. */
  readonly exited: Promise<EndpointExit>;
  /**
   * Ends the process in order: stops loops and tap, sends on what is left, destroys all objects, and waits for the exit
   * of the process. Kills it after `graceMs`. Never rejects; may be called twice.
   */
  close(graceMs: number): Promise<void>;
  /** Kills the process at once (SIGKILL). */
  kill(): void;
}

/** Starts an endpoint process and opens its device. Rejects with AppError if that fails, and leaves no process. */
export type SpawnEndpoint = (options: SpawnOptions) => Promise<HostedEndpoint>;
