import type { Simulation } from '@verbslab/protocol';

/** A simulation of a run that has ended: two points over virtual time, and two mechanisms of which one has fired. */
export const DONE: Simulation = {
  title: 'All at once',
  scenario: {},
  fabric: { hosts: 12, switches: 1, links: 12, rtt_us: 6.7, bdp_bytes: 83_525 },
  series: {
    samples: 4,
    us: [20, 40],
    received: [{ host: 0, gbps: [94, 97] }],
    receivedByOthers: { hosts: 11, gbps: [0, 0] },
    queues: [{ switch: 0, port: 0, class: 3, bytes: [500_000, 100] }],
    paused: [0, 0],
    events: { marked: [3, 0] },
  },
  mechanisms: [
    { name: 'pfc', fired: 0, says: 'PFC never fired: at most 233 KB of 1414 KB.' },
    { name: 'ecn', fired: 3, says: 'ECN marked 3 packets.' },
  ],
  slowdown: { flows: 11, p50: 9.5, p99: 11 },
  result: {
    us: 40,
    bytes_acknowledged: 11_000_000,
    goodput_gbps: 95.5,
    queue_max_bytes: 500_000,
    flows_finished: 11,
    flows_failed: 0,
    flows_unfinished: 0,
    flow_time_us: { mean: 900, p50: 904, p95: 910, p99: 911, max: 912 },
    marked: 3,
    cnps: 0,
    pauses: 0,
    paused_us: 0,
    timeouts: 0,
    naks: 0,
    retransmitted: 0,
    drops: {},
    packets: {},
    trace: '0123456789abcdef',
  },
};
