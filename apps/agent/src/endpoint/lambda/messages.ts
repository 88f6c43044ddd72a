/** Messages between an endpoint and its sandbox. */
import type { ErrorCode, ErrorParams } from '@verbslab/protocol';

/** The first word of a sandbox, when it can take a module. */
export const READY = 'ready';

export type ToSandbox =
  | { do: 'load'; module: Uint8Array; memoryBytes: number }
  | { do: 'run'; shared: SharedArrayBuffer; inputBytes: number; outputBytes: number }
  /** The only message without an answer. */
  | { do: 'reset' };

export type FromSandbox =
  | { done: true; elapsedNs: number; bytes: number; memoryBytes: number }
  | { done: false; code: ErrorCode; params: ErrorParams };
