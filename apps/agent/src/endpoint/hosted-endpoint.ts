import type { EndpointHandle, EndpointMessage, ErrorInfo, Faults } from '@verbslab/protocol';
import type { FrameMemory } from '../base/frame-memory.js';

/** How an endpoint’s process ended. */
export interface EndpointExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last error that the endpoint reported before it ended, if any. */
  error?: ErrorInfo;
}

/** Events of an endpoint as they come over its channel: stamped on the run’s clock. */
export type EndpointEvents = Extract<EndpointMessage, { events: unknown }>['events'];

export interface SpawnOptions {
  /** Role of the endpoint in the lab. */
  name: string;
  /** Device to open. */
  device: string;
  /** What a person finds the user of the endpoint by: `Run 12 (“Bulk transfer”)`. */
  purpose?: string;
  /** Path of the network namespace to start it in. Default: the agent's own. */
  netns?: string;
  /** CLOCK_MONOTONIC (ns, `process.hrtime.bigint()`) at which the run’s clock reads 0. */
  clock: bigint;
  /** In order. Without `endpoint`: the manager adds it. */
  onEvents(events: EndpointEvents): void;
  /**
   * A whole binary frame (frames.ts) with run and seq 0. The receiver owns the memory: it must not be a view of a
   * buffer that is used again. Frames and events of one endpoint may overtake each other only across channels.
   */
  onFrame(frame: Uint8Array): void;
  /** Where frames may get their memory from: the receiver gives it back there. */
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
   * On another host: how far its clock has gone ahead since the endpoint was opened, ns, as far as that is known
   * (± `errorNs`); null when it cannot.
   */
  drift?(): Promise<{ driftNs: number; errorNs: number } | null>;
  /**
   * On a device of the kernel in a virtual machine of this host: loses and delays what the machine sends, until the
   * endpoint is closed. Rejects with NO_FAULTS for what tc-netem(8) cannot do.
   */
  netem?(faults: Faults): Promise<void>;
  /** Resolves when the process has ended, however it did; never rejects. Pending calls reject with ENDPOINT_DIED. */
  readonly exited: Promise<EndpointExit>;
  /**
   * Orderly end: stops loops and tap, sends on what is left, destroys all objects, and waits until the process has
   * gone; after `graceMs` it is killed. Never rejects; may be called twice.
   */
  close(graceMs: number): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
}

/** Starts an endpoint process and opens its device. Rejects with AppError when that fails, leaving no process. */
export type SpawnEndpoint = (options: SpawnOptions) => Promise<HostedEndpoint>;
