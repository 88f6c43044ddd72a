/** Rates, latencies and requests in flight: what each says about the others. Pure functions. */

/** Little’s law: requests in flight on average, from messages per second and the mean latency in ns. */
export const inFlight = (rate: number, latencyNs: number): number => rate * latencyNs * 1e-9;

/**
 * The most that `inFlight` can be with `depth` requests allowed: the latency of what completes at the start of the measured
 * time lies before it in part, at most the longest latency of each request. All times in the same unit.
 */
export const mostInFlight = (depth: number, longest: number, measured: number): number =>
  depth * (1 + longest / measured);

/** Bytes that are under way in a path of this goodput (Gb/s) and latency (ns): the bandwidth-delay product. */
export const bandwidthDelay = (gbps: number, latencyNs: number): number => (gbps * latencyNs) / 8;

/** Gb/s of messages of `size` bytes with `depth` in flight, if each takes `latencyNs`. */
export const windowLimited = (depth: number, size: number, latencyNs: number): number =>
  (depth * size * 8) / latencyNs;
