/** Said wherever latencies of RDMA and of TCP or UDP stand side by side. */
export const LATENCY_CLOCKS =
  'Latency does not compare RDMA with TCP: their clocks stop at different events.';
