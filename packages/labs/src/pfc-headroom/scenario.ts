/** An incast through a switch with little headroom, and how much it needs. */
import type { Scenario } from '@verbslab/protocol';
import { FULL_PACKET, headroomOf, MTU, NS_PER_METER, onLink, timeOf } from '../fabric/link.js';
import type { PfcHeadroomParams } from './params.js';

export const LENGTHS = [5, 40, 100, 300, 1000];
/** Parts of the formula for which the lab shows what is lost. */
export const PARTS = [0.25, 0.5, 0.75, 0.9, 1, 1.25];
/** At which a port is paused, B. */
const XOFF = 60_000;
const WINDOW = 4_194_304;
/** Windows that pass the busy link in a simulation, so that each port is paused several times. */
const ROUNDS = 3;

/** A place of the lab: m and Gb/s. */
export interface Place {
  length: number;
  rate: number;
}

export const formulaOf = (
  { length, rate }: Place,
  { reaction }: Pick<PfcHeadroomParams, 'reaction'>,
): number => headroomOf(rate, (length * NS_PER_METER) / 1000, reaction / 1000);

/** The allowance of Linux’ driver of ConnectX NICs (mlx5, `port_buffer.c`), B; null below 40 Gb/s, where it has another. */
export const driverOf = ({ length, rate }: Place): number | null =>
  rate < 40 ? null : (301 + 2.16 * length) * rate + 2.72 * FULL_PACKET;

/** @param headroom B of a lossless class of a port @param stop ends at the first drop */
export function scenarioOf(
  { hosts, reaction }: PfcHeadroomParams,
  { length, rate }: Place,
  headroom: number,
  { seed, stop }: { seed: number; stop: boolean },
): Scenario {
  const busy = timeOf(rate, hosts * onLink(ROUNDS * MTU * 64));
  return {
    name: 'pfc-headroom',
    seed,
    duration_us: Math.ceil((stop ? 1 : 5) * (1000 + busy + (40 * length * NS_PER_METER) / 1000)),
    ...(stop ? { stop_at: { drop: true } } : {}),
    topology: { kind: 'star', hosts: hosts + 1 },
    link: { rate_gbps: rate, delay_ns: length * NS_PER_METER, pause_reaction_ns: reaction },
    host: { latency_ns: 0 },
    switch: {
      pfc: true,
      buffer_bytes: 100_000 * hosts,
      xoff_bytes: XOFF,
      headroom_bytes: Math.floor(headroom),
    },
    transport: { window_bytes: WINDOW, timeout: 8 },
    traffic: [{ kind: 'incast', to: hosts, jitter_us: 3 }],
  };
}
