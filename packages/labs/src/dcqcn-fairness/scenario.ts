/** Flows that share one link, and the constants of DCQCN that they follow. */
import type { Scenario, SimulatedSample } from '@verbslab/protocol';
import { jainIndex } from '../base/fairness.js';
import { average } from '../fabric/samples.js';
import { FLOWS, type DcqcnFairnessParams } from './params.js';

export const GBPS = 100;
const SAMPLE_US = 200;
/** Rates are means over this time, ms. */
export const WINDOW_MS = 0.4;

/** Constants of DCQCN at 100 Gb/s. */
export interface Preset {
  name: 'paper' | 'nic' | 'ns3';
  label: string;
  /** What the target rate gains, Mb/s, in each period, µs, in the phase of additive increase. */
  step: number;
  period: number;
}

export const PRESETS: readonly Preset[] = [
  { name: 'paper', label: 'Paper', step: 40, period: 55 },
  { name: 'nic', label: 'NVIDIA’s NICs', step: 5, period: 300 },
  { name: 'ns3', label: 'HPCC’s ns-3', step: 20, period: 300 },
];

/** Flow i goes from host i of the first switch to host i of the second, so each host’s rate is that of a flow. */
export function scenarioOf(params: DcqcnFairnessParams, { name }: Preset, seed: number): Scenario {
  const { join, duration, kmin, kmax } = params;
  return {
    name: 'dcqcn-fairness',
    seed,
    duration_us: ((FLOWS - 1) * join + duration) * 1000,
    sample_us: SAMPLE_US,
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hosts_per_switch: FLOWS },
    link: { rate_gbps: GBPS },
    switch: {
      pfc: true,
      ecn: { kmin_bytes: kmin * 1000, kmax_bytes: Math.max(kmin, kmax) * 1000, pmax: 0.2 },
    },
    transport: { congestion: `dcqcn-${name}`, window_bytes: 1_048_576 },
    traffic: Array.from({ length: FLOWS }, (_, i) => ({
      kind: 'flow',
      from: i,
      to: FLOWS + i,
      start_us: i * join * 1000,
      jitter_us: 5,
    })),
  };
}

/** The goodput of each flow over a window that ends at `ms`, Gb/s; Jain’s index is of the flows that had begun. */
export interface Rates {
  ms: number;
  rates: number[];
  sum: number;
  jain: number | null;
}

export function ratesOf(
  samples: readonly SimulatedSample[],
  { join }: Pick<DcqcnFairnessParams, 'join'>,
): Rates[] {
  const each = (WINDOW_MS * 1000) / SAMPLE_US;
  return Array.from({ length: Math.floor(samples.length / each) }, (_, i) => {
    const some = samples.slice(i * each, (i + 1) * each);
    const rates = Array.from({ length: FLOWS }, (__, flow) =>
      average(some.map(({ received_gbps }) => received_gbps[FLOWS + flow] ?? 0)),
    );
    const ms = some.at(-1)!.us / 1000;
    const begun = Math.max(1, Math.min(FLOWS, Math.ceil((ms - WINDOW_MS) / join)));
    return {
      ms,
      rates,
      sum: rates.reduce((all, one) => all + one, 0),
      jain: jainIndex(rates.slice(0, begun)),
    };
  });
}
