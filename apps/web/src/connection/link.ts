import type { LatencySnapshot } from '@verbslab/charts/data';
import type { AgentMessage } from '@verbslab/protocol';
import type { CompletionSnapshot } from '../model/completion-snapshot';

/** Messages of the page to the end that holds the socket. */
export type ToStream =
  | { type: 'open'; url: string }
  | { type: 'send'; text: string }
  | { type: 'close' }
  /** The page has used this much of the stream that it was handed. */
  | { type: 'consumed'; bytes: number }
  /** Completions of this run are to be kept from now on, beginning with none. `latencies`: with the latencies of its requests. */
  | { type: 'watch'; runId: string; run: number; latencies: boolean }
  | { type: 'forget'; run: number }
  /** Asks for all completions that are kept. */
  | { type: 'still'; run: number };

/** Messages of that end to the page. */
export type FromStream =
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'message'; message: AgentMessage; bytes: number }
  /** A binary frame of any kind but completions. */
  | { type: 'frame'; bytes: Uint8Array<ArrayBuffer> }
  /** Counts of all completions of a run so far, and the newest of them; `lastSeq` is the last item that they hold. */
  | { type: 'completions'; run: number; lastSeq: number; latest: CompletionSnapshot }
  | { type: 'latencies'; run: number; latencies: LatencySnapshot }
  | { type: 'still'; run: number; completions: CompletionSnapshot };

/** Between the page and its socket; messages keep their order both ways. */
export interface Link {
  listen(hear: (m: FromStream) => void): void;
  post(m: ToStream): void;
  end(): void;
}
