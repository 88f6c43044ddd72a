/** Flows that share a port, and a flow that shares only an uplink with others. */
import type { Scenario, Simulated } from '@verbslab/protocol';
import { payloadRate } from '../fabric/link.js';
import type { PfcVictimParams } from './params.js';

export const GBPS = 100;
/** Goodput of a full link, Gb/s. */
export const LINE = payloadRate(GBPS);
const JITTER_US = 5;

export type Setting = 'pfc' | 'control' | 'drop';
export const SETTINGS: Record<Setting, string> = {
  pfc: 'PFC',
  control: 'PFC, congestion control',
  drop: 'Drops',
};

function fabric(params: PfcVictimParams, setting: Setting, seed: number): Scenario {
  const { buffer, window, congestion, duration } = params;
  const control = setting === 'control';
  // PFC and drops act at once; congestion control takes time to settle.
  const us = (control ? duration : duration / 4) * 1000;
  return {
    name: 'pfc-victim',
    seed,
    duration_us: us,
    sample_us: us / 100,
    link: { rate_gbps: GBPS },
    switch: {
      pfc: setting !== 'drop',
      buffer_bytes: buffer * 1000,
      ...(control && congestion !== 'swift'
        ? { ecn: { kmin_bytes: 100_000, kmax_bytes: 400_000, pmax: 0.2 } }
        : {}),
    },
    transport: { window_bytes: window, timeout: 10, congestion: control ? congestion : 'none' },
  };
}

/** Host 0 sends one flow to host 2, host 1 sends k. */
export function portScenario(params: PfcVictimParams, setting: Setting, k: number, seed: number): Scenario {
  const common = fabric(params, setting, seed);
  return {
    ...common,
    sample_flows: k + 1,
    topology: { kind: 'star', hosts: 3 },
    transport: { ...(common.transport as object), qps: k },
    traffic: [
      { kind: 'flow', from: 0, to: 2, jitter_us: JITTER_US },
      { kind: 'flow', from: 1, to: 2, count: k, jitter_us: JITTER_US },
    ],
  };
}

/** Two leaves send k flows each to one host of a third. The victim is a flow from the first leaf to a fourth. */
export function uplinkScenario(params: PfcVictimParams, setting: Setting, k: number, seed: number): Scenario {
  const per = k + 1;
  const hot = 2 * per;
  const flow = (from: number, to: number) => ({ kind: 'flow', from, to, jitter_us: JITTER_US });
  return {
    ...fabric(params, setting, seed),
    sample_flows: 2 * k + 1,
    topology: { kind: 'leaf-spine', leaves: 4, spines: 1, hosts_per_switch: per },
    traffic: [
      ...Array.from({ length: k }, (_, i) => [flow(i, hot), flow(per + i, hot)]).flat(),
      flow(per - 1, 3 * per),
    ],
  };
}

/** Goodput of each flow in the second half of a simulation, Gb/s. */
export function ratesOf({
  samples,
}: Pick<Simulated, 'samples'>): { from: number; to: number; gbps: number }[] {
  const last = samples.at(-1);
  const half = samples[Math.floor(samples.length / 2) - 1];
  if (!last || !half) return [];
  return (last.flows ?? []).map(({ flow, from, to, acknowledged_bytes: bytes }) => {
    const before = half.flows?.find((one) => one.flow === flow)?.acknowledged_bytes ?? 0;
    return { from, to, gbps: ((bytes - before) * 8) / 1000 / (last.us - half.us) };
  });
}
