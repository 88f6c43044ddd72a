// Contents of the completion records of the bench, shared by the thread that writes them and the one that sums them up.

/** Latencies that records go through in turn, ns: a body about 2 us and a tail, as a loop on a busy machine shows. */
export const LATENCIES = Uint32Array.from({ length: 4096 }, (_, index) => {
  // A fixed permutation, so that neighbors differ; quantiles of an exponential tail on a floor.
  const quantile = (((index * 1597) % 4096) + 0.5) / 4096;
  return Math.round(1_200 - 900 * Math.log(1 - quantile));
});

export interface WriterData {
  /** Ring in the layout of CompletionRing. */
  buffer: SharedArrayBuffer;
  /** A word; any value but 0 ends the writer. */
  stop: SharedArrayBuffer;
  recordsPerSecond: number;
  durationMs: number;
  /** A power of two of latencies. */
  latencies: Uint32Array;
}

/** Last message of the writer. */
export interface Written {
  startedAtNs: bigint;
  elapsedNs: number;
  /** Records that entered the ring; `dropped` found it full. */
  written: number;
  dropped: number;
}
