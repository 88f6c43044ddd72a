/** Answers that come to one host at the same moment. */
import type { Scenario } from '@verbslab/protocol';
import { onLink, timeOf } from '../fabric/link.js';
import type { MicroburstParams } from './params.js';

export const GBPS = 100;
export const SAMPLE_US = 10;
/** Jitter of the hosts’ clocks, µs: nothing begins in the same nanosecond. */
const JITTER_US = 1;
/** A buffer that holds every burst of the lab, KB. */
const LARGE = 64_000;

export type Setting = 'large' | 'small' | 'dcqcn' | 'pfc';
export const SETTINGS: Record<Setting, string> = {
  large: 'Large buffer',
  small: 'Small buffer',
  dcqcn: 'Small buffer, DCQCN',
  pfc: 'Small buffer, PFC',
};

export function scenarioOf(params: MicroburstParams, setting: Setting, hosts: number): Scenario {
  const { bytes, period, bursts, small, seed } = params;
  return {
    name: 'microburst',
    seed,
    duration_us: period * bursts,
    sample_us: SAMPLE_US,
    topology: { kind: 'star', hosts: hosts + 1 },
    link: { rate_gbps: GBPS },
    switch: {
      buffer_bytes: (setting === 'large' ? LARGE : small) * 1000,
      pfc: setting === 'pfc',
      ...(setting === 'dcqcn' ? { ecn: { kmin_bytes: 100_000, kmax_bytes: 400_000, pmax: 0.2 } } : {}),
    },
    transport: {
      timeout: 10,
      window_bytes: 262_144,
      congestion: setting === 'dcqcn' ? 'dcqcn-paper' : 'none',
    },
    traffic: Array.from({ length: bursts }, (_, i) => ({
      kind: 'incast',
      to: hosts,
      bytes,
      start_us: i * period,
      jitter_us: JITTER_US,
    })),
  };
}

/** Time that the link to the receiver needs for a burst, µs. */
export const burstUs = ({ bytes }: Pick<MicroburstParams, 'bytes'>, hosts: number): number =>
  timeOf(GBPS, hosts * onLink(bytes));

/** The longest queue of a burst, B: while one answer leaves, all come in. */
export const queueOf = ({ bytes }: Pick<MicroburstParams, 'bytes'>, hosts: number): number =>
  (hosts - 1) * onLink(bytes);

/** The highest use of the link over any stretch of this length that begins with a burst, as a part. @param us µs */
export function useOf(params: Pick<MicroburstParams, 'bytes' | 'period'>, hosts: number, us: number): number {
  const burst = burstUs(params, hosts);
  const whole = Math.floor(us / params.period);
  return Math.min(1, (whole * burst + Math.min(burst, us - whole * params.period)) / us);
}
