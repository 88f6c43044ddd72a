/** The star of the lab, and what a closed form says of its queue. */
import type { Scenario } from '@verbslab/protocol';
import { bytesIn, headroomOf, onLink, timeOf, xoffOf } from '../fabric/link.js';
import type { FabricIncastParams } from './params.js';

export const GBPS = 100;
const DELAY_US = 1;
const REACTION_US = 0.5;
const ALPHA = 0.125;
/** Within which the hosts begin, µs: no fabric has them begin in the same nanosecond. */
const JITTER_US = 10;

/** A setting: whether the switch pauses instead of dropping, and whether it marks and the senders heed that. */
export interface Setting {
  name: 'drop' | 'drop-cc' | 'pfc' | 'pfc-cc';
  label: string;
  pfc: boolean;
  cc: boolean;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'drop', label: 'Drops', pfc: false, cc: false },
  { name: 'drop-cc', label: 'Drops, congestion control', pfc: false, cc: true },
  { name: 'pfc', label: 'PFC', pfc: true, cc: false },
  { name: 'pfc-cc', label: 'PFC, congestion control', pfc: true, cc: true },
];

/** The time of all answers on a link that is never idle, without a round trip, µs. */
export const idealUs = ({ hosts, bytes }: Pick<FabricIncastParams, 'hosts' | 'bytes'>): number =>
  hosts * timeOf(GBPS, onLink(bytes));

export function scenarioOf(params: FabricIncastParams, { pfc, cc, name }: Setting, seed: number): Scenario {
  const { hosts, bytes, congestion, buffer, window, kmin } = params;
  const ideal = idealUs(params);
  return {
    name,
    seed,
    duration_us: Math.ceil(100_000 + 30 * ideal),
    until_done: true,
    sample_us: Math.max(5, Math.round(ideal / 400)),
    topology: { kind: 'star', hosts: hosts + 1 },
    link: { rate_gbps: GBPS, delay_ns: DELAY_US * 1000, pause_reaction_ns: REACTION_US * 1000 },
    switch: {
      buffer_bytes: buffer * 1000,
      pfc,
      alpha: ALPHA,
      ...(cc && congestion !== 'swift'
        ? { ecn: { kmin_bytes: kmin * 1000, kmax_bytes: 4 * kmin * 1000, pmax: 0.2 } }
        : {}),
    },
    transport: { window_bytes: window, timeout: 12, congestion: cc ? congestion : 'none' },
    traffic: [{ kind: 'incast', to: hosts, bytes, jitter_us: JITTER_US }],
  };
}

/**
 * The longest queue with PFC and without congestion control, B: all windows but what the links hold, or what the ports
 * hold when they are paused, with what arrives after that.
 * @param rttUs of a packet and its ACK when nothing waits, µs
 */
export function queueOf(
  { hosts, bytes, window, buffer }: Pick<FabricIncastParams, 'hosts' | 'bytes' | 'window' | 'buffer'>,
  rttUs: number,
): number {
  const windows = hosts * onLink(Math.min(window, bytes)) - bytesIn(GBPS, rttUs);
  const paused = hosts * (xoffOf(hosts, ALPHA, buffer * 1000) + headroomOf(GBPS, DELAY_US, REACTION_US));
  return Math.min(windows, paused);
}
