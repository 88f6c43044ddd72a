/** Costs per message, from the measurements of loops. Pure functions. */
import type { EndpointLoopResult } from '@verbslab/protocol';
import type { PingPong } from '../load/ping.js';

/** Messages of a round trip: one there, one back. */
export const MESSAGES_A_TRIP = 2;

export interface Round extends PingPong {
  /** Messages of both directions together. */
  messages: number;
  /** Context switches of the device’s threads at both ends. */
  deviceSwitches: number;
}

const cpuNs = ({ cpu }: EndpointLoopResult): number => cpu.appNs + (cpu.nicNs ?? 0) + cpu.kernelNs;

/** CPU time of both ends per message, ns: application, NIC work and kernel. */
export const cpuPerMessage = (round: Round): number =>
  (cpuNs(round.client) + cpuNs(round.server)) / round.messages;

/** Context switches of the loops’ threads and the devices’ per message, at both ends. */
export function switchesPerMessage(round: Round): number {
  const own = [round.client, round.server].reduce(
    (sum, { cpu: { switches } }) => sum + (switches ? switches.voluntary + switches.involuntary : NaN),
    0,
  );
  return (own + round.deviceSwitches) / round.messages;
}

/** Cost of each additional KiB, ns: the slope between two sizes. */
export const perKiB = (small: { size: number; ns: number }, large: { size: number; ns: number }): number =>
  (large.ns - small.ns) / ((large.size - small.size) / 1024);
