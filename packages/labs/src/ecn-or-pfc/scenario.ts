/** An incast whose switch both marks and pauses. */
import type { Scenario } from '@verbslab/protocol';
import { bytesIn, xoffOf } from '../fabric/link.js';
import type { EcnOrPfcParams } from './params.js';

export const GBPS = 100;
export const DURATION_US = 5000;

/** Alpha as switches have it: powers of two. */
export const ALPHAS = [1 / 128, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2];
/** The one that the predictions are about. */
export const ASKED = 1 / 16;

/** How a simulation goes: to the first PAUSE with congestion control, or to its end with it or without. */
export type Way = 'first' | 'control' | 'none';

export function scenarioOf(params: EcnOrPfcParams, alpha: number, way: Way, seed: number): Scenario {
  const { hosts, kmin, kmax, buffer, window, congestion } = params;
  return {
    name: 'ecn-or-pfc',
    seed,
    duration_us: DURATION_US,
    ...(way === 'first' ? { stop_at: { pause: true } } : { sample_us: 20 }),
    topology: { kind: 'star', hosts: hosts + 1 },
    link: { rate_gbps: GBPS },
    switch: {
      pfc: true,
      buffer_bytes: buffer * 1000,
      // The simulator takes six decimals.
      alpha: Math.ceil(alpha * 1e6) / 1e6,
      ecn: { kmin_bytes: kmin * 1000, kmax_bytes: Math.max(kmin, kmax) * 1000, pmax: 0.2 },
    },
    transport: { window_bytes: window, congestion: way === 'none' ? 'none' : congestion },
    traffic: [{ kind: 'incast', to: hosts, jitter_us: 1 }],
  };
}

/** The queue at which all ports are paused, if they fill alike, KB. */
export const pausedAt = (
  { hosts, buffer }: Pick<EcnOrPfcParams, 'hosts' | 'buffer'>,
  alpha: number,
): number => hosts * xoffOf(hosts, alpha, buffer);

/** Growth of the queue in a round trip while all send at the rate of their links, KB. */
export const growthOf = ({ hosts }: Pick<EcnOrPfcParams, 'hosts'>, rttUs: number): number =>
  ((hosts - 1) * bytesIn(GBPS, rttUs)) / 1000;

/** `1/16` of 0.0625. */
export const alphaText = (alpha: number): string =>
  alpha < 1 ? `1/${Math.round(1 / alpha)}` : String(alpha);
