import { type EndpointLoopResult } from '@verbslab/protocol';

/** Result of a measuring loop, with the changes that a test makes. */
export const loop = (over: Partial<EndpointLoopResult> = {}): EndpointLoopResult => ({
  reason: 'duration',
  drained: true,
  startedAt: 0,
  elapsedNs: 2e9,
  bytes: 4e9,
  messages: 64_000,
  latencyKind: 'completion',
  latency: {
    count: 4000,
    minNs: 1000,
    meanNs: 2000,
    maxNs: 6015,
    distribution: [
      [1000, 1999],
      [2000, 1950],
      [6015, 51],
    ],
  },
  cpu: { appNs: 1e9, nicNs: 0.5e9, kernelNs: 0.4e9, processNs: 2e9 },
  counters: {},
  whole: { signaled: 4012, completions: 4012, mostOutstanding: 64, sentBytes: 5e9, receivedBytes: 5e9 },
  recordsWritten: 4000,
  recordsDropped: 0,
  ...over,
});
