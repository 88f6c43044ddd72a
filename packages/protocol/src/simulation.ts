/**
 * Simulated fabrics: what the simulator says (docs/simulator.md has the meaning of every member), and the form in which
 * a run keeps it. Times are virtual, in µs; sizes in bytes; rates in Gb/s.
 */
import { z } from 'zod';
import { zCount } from './verbs.js';

/** A scenario: a JSON object. The simulator checks it. */
export type Scenario = Record<string, unknown>;

const zFabric = z.object({
  hosts: zCount,
  switches: zCount,
  links: zCount,
  /** Round trip of a full packet and its ACK through one switch. */
  rtt_us: z.number(),
  /** Bandwidth-delay product of a host’s link. */
  bdp_bytes: zCount,
});
/** The fabric that a scenario describes. */
export type SimulatedFabric = z.infer<typeof zFabric> & { name: string; seed: number };

/** What happened in the whole fabric since the sample before. */
export const SAMPLED_EVENTS = [
  'marked',
  'drops',
  'pauses',
  'cnps',
  'naks',
  'timeouts',
  'retransmitted',
] as const;
export type SampledEvent = (typeof SAMPLED_EVENTS)[number];

/** A flow in a sample, with what its congestion control has. */
export interface SampledFlow {
  flow: number;
  from: number;
  to: number;
  /** Payload acknowledged since the sample before. */
  gbps: number;
  acknowledged_bytes: number;
  in_flight_bytes?: number;
  /** Absent at the rate of the link. */
  rate_gbps?: number;
  target_gbps?: number;
  alpha?: number;
  window_bytes?: number;
  rtt_us?: number;
}

/** A direction of a link in a sample. What is absent is 0. */
export interface SampledLink {
  at: 'host' | 'switch';
  number: number;
  port: number;
  /** Share of its rate, 0 to 1. */
  use: number;
  marked?: number;
  drops?: number;
  paused_us?: number;
}

/** A sample of the fabric at a time of its run. */
export interface SimulatedSample extends Record<SampledEvent, number> {
  us: number;
  /** Rate at which each host received since the sample before, data that came again included. */
  received_gbps: number[];
  /** Queues of switches that hold packets: switch, port, class, bytes. */
  queues: [number, number, number, number][];
  /** Transmitters that may not send: whose, its number, port, class. */
  paused: ['host' | 'switch', number, number, number][];
  /** With `sample_flows`: flows that had not finished at the sample before. */
  flows?: SampledFlow[];
  flows_left_off?: number;
  /** With `sample_links`: transmitters that did something since the sample before. */
  links?: SampledLink[];
  links_left_off?: number;
}

/** A flow, from its start to the last ACK. */
export interface SimulatedFlow {
  flow: number;
  from: number;
  to: number;
  /** Absent for an endless flow. */
  bytes?: number;
  done_bytes: number;
  created_us: number;
  /** Absent, like `slowdown`, if the flow did not finish. */
  time_us?: number;
  /** Time of the flow over that of the same flow alone. At least 1. */
  slowdown?: number;
}

export const zMechanism = z.object({
  /** `pfc`, `ecn`, `buffer-drop`, …: docs/simulator.md lists them. */
  name: z.string().max(64),
  fired: zCount,
  /** How near it came to firing, and where it fires. */
  reached: z.number().optional(),
  limit: z.number().optional(),
  /** The mechanism in a sentence. */
  says: z.string().max(500),
});
export type Mechanism = z.infer<typeof zMechanism>;

const zFlowTimes = z.object({
  mean: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
});

/** Counts and times of a whole run. */
export const zSimulationResult = z.object({
  us: z.number(),
  /** What ended the run before its time. */
  stopped_by: z.string().max(64).optional(),
  /** Why it could not go on, in a sentence. Absent if it could. */
  error: z.string().max(500).optional(),
  /** Rules of the scenario that had no effect, each in a sentence. Absent in older runs. */
  notes: z.array(z.string().max(500)).max(64).optional(),
  /** Bytes that were acknowledged, and their rate over the whole run. */
  bytes_acknowledged: zCount,
  goodput_gbps: z.number(),
  /** Jain’s index of the flows’ rates. Absent if none got through. */
  fairness: z.number().optional(),
  queue_max_bytes: zCount,
  flows_finished: zCount,
  flows_failed: zCount,
  flows_unfinished: zCount,
  flow_time_us: zFlowTimes.optional(),
  marked: zCount,
  cnps: zCount,
  pauses: zCount,
  paused_us: z.number(),
  timeouts: zCount,
  naks: zCount,
  retransmitted: zCount,
  /** Packets dropped, by reason. */
  drops: z.record(z.string().max(64), zCount),
  /** Packets by kind: `data`, `ack`, `cnp`, `raw`, `pause`. */
  packets: z.record(z.string().max(64), z.object({ made: zCount, delivered: zCount, dropped: zCount })),
  /** Conservation of packets and Little’s law; a sentence for each law that does not hold. Absent in older runs. */
  laws: z.object({ checked: zCount, broken: z.array(z.string().max(500)).max(16) }).optional(),
  /** Hash of all arrivals: equal for equal runs. */
  trace: z.string().max(64),
});
export type SimulationResult = z.infer<typeof zSimulationResult>;

/** What a capture of a simulation has. */
export interface SimulatedCapture {
  packets: number;
  /** Packets beyond the limit of its size. */
  left_out: number;
  says: string;
}

/** All that the simulator said of a scenario. */
export interface Simulated {
  scenario: SimulatedFabric;
  samples: SimulatedSample[];
  flows: SimulatedFlow[];
  mechanisms: Mechanism[];
  result: SimulationResult;
  /** Absent without a capture. */
  pcap?: SimulatedCapture;
}

/** Most points of a recorded series, and most hosts and ports with a line of their own. */
export const MOST_SERIES_POINTS = 480;
export const MOST_SERIES_LINES = 8;

const zLine = z.array(z.number()).max(MOST_SERIES_POINTS);

/**
 * Samples of a simulation as columns, a value for each time. Where there were more samples than points, a point stands
 * for several: rates are their mean, queues and pauses their highest, counts their sum.
 */
export const zFabricSeries = z.object({
  /** Number of samples that the simulator took. */
  samples: zCount,
  /** End of the interval of each point. */
  us: zLine,
  /** Hosts that received most, and the sum of all others. */
  received: z.array(z.object({ host: zCount, gbps: zLine })).max(MOST_SERIES_LINES),
  receivedByOthers: z.object({ hosts: zCount, gbps: zLine }).optional(),
  /** Queues that were deepest, and the sum of all others. */
  queues: z
    .array(z.object({ switch: zCount, port: zCount, class: zCount, bytes: zLine }))
    .max(MOST_SERIES_LINES),
  otherQueues: z.object({ queues: zCount, bytes: zLine }).optional(),
  /** Number of paused transmitters. */
  paused: zLine,
  /** Counts of each interval, of the whole fabric; only of what happened at all. */
  events: z.partialRecord(z.enum(SAMPLED_EVENTS), zLine),
});
export type FabricSeries = z.infer<typeof zFabricSeries>;

/** A simulation of a run, as its event has it. */
export const zSimulation = z.object({
  /** What it was run for, in a few words; empty if the run has only one. */
  title: z.string().max(200),
  /** Null if the text of the scenario is longer than 64 KiB. */
  scenario: z.record(z.string(), z.json()).nullable(),
  /** Null if it ended before the fabric was built. */
  fabric: zFabric.nullable(),
  /** Null without samples. */
  series: zFabricSeries.nullable(),
  mechanisms: z.array(zMechanism).max(64),
  /** Slowdown of the flows that finished; null if none did. */
  slowdown: z.object({ flows: zCount, p50: z.number(), p99: z.number() }).nullable(),
  /** Null if the run was ended before the simulation. */
  result: zSimulationResult.nullable(),
  /** True for a report of what was simulated so far; the next event of the run replaces it. */
  running: z.literal(true).optional(),
});
export type Simulation = z.infer<typeof zSimulation>;
