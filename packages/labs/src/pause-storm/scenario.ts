/** A NIC that takes less than its link brings, and one that takes nothing any more. */
import type { Scenario } from '@verbslab/protocol';
import { bytesIn, FULL_PACKET } from '../fabric/link.js';
import type { PauseStormParams } from './params.js';

export const GBPS = 100;
/** Rates of the slow receiver, Gb/s, beside the one of the lab. */
export const RATES = [90, 80, 60, 40, 20];
export const SLOW_US = 20_000;
const DELAY_US = 1;
const REACTION_US = 0.5;
const NIC_XOFF = 1_000_000;

/** A host sends to another, whose NIC pauses the switch. No queue but the NIC’s is full. */
export function slowScenario({ hysteresis, seed }: PauseStormParams, gbps: number): Scenario {
  return {
    name: 'slow-receiver',
    seed,
    duration_us: SLOW_US,
    topology: { kind: 'star', hosts: 2 },
    link: { rate_gbps: GBPS, delay_ns: DELAY_US * 1000, pause_reaction_ns: REACTION_US * 1000 },
    host: {
      latency_ns: 0,
      buffer_bytes: 4_000_000,
      xoff_bytes: NIC_XOFF,
      xon_bytes: NIC_XOFF - hysteresis * 1000,
    },
    switch: { pfc: true, buffer_bytes: 200_000_000 },
    transport: { window_bytes: 8_388_608 },
    traffic: [{ kind: 'flow', from: 1, to: 0 }],
    changes: [{ at_us: 0, host: 0, receive_gbps: gbps }],
  };
}

/**
 * PAUSE frames per second of a NIC that takes `gbps`. The NIC’s buffer fills and drains by the hysteresis, by what still
 * comes after a PAUSE, and by what does not come yet after the resume.
 */
export function pausesPerSecond(gbps: number, { hysteresis }: Pick<PauseStormParams, 'hysteresis'>): number {
  const [fill, drain] = [bytesIn(GBPS - gbps, 1), bytesIn(gbps, 1)];
  const late = 2 * DELAY_US;
  const bytes = hysteresis * 1000 + fill * (late + REACTION_US) + drain * late + FULL_PACKET;
  return 1e6 / (bytes / fill + bytes / drain);
}

export type Setting = 'pfc' | 'dcqcn' | 'swift' | 'watchdog';
export const SETTINGS: Record<Setting, string> = {
  pfc: 'PFC',
  dcqcn: 'PFC, DCQCN',
  swift: 'PFC, Swift',
  watchdog: 'PFC, watchdog',
};

/** When the host 0 stops, and when the run ends, ms. */
export const STOP_MS = 2;
export const END_MS = 12;
/** From this long after the stop on, the lab looks at what is left, ms. */
export const LATER_MS = 5;
export const SAMPLE_US = 100;

export const hostsOf = ({ hosts }: Pick<PauseStormParams, 'hosts'>): number => 3 * hosts;

export function stormScenario(params: PauseStormParams, setting: Setting, seed: number): Scenario {
  const { hosts, window, buffer, detect } = params;
  return {
    name: 'pause-storm',
    seed,
    duration_us: END_MS * 1000,
    sample_us: SAMPLE_US,
    topology: { kind: 'leaf-spine', leaves: 3, spines: 2, hosts_per_switch: hosts },
    link: { rate_gbps: GBPS },
    switch: {
      pfc: true,
      buffer_bytes: buffer * 1000,
      ...(setting === 'dcqcn' ? { ecn: { kmin_bytes: 100_000, kmax_bytes: 400_000, pmax: 0.2 } } : {}),
      ...(setting === 'watchdog'
        ? { watchdog: { detect_us: detect * 1000, restore_us: 1_000_000, drops: true } }
        : {}),
    },
    transport: {
      window_bytes: window,
      congestion: setting === 'dcqcn' ? 'dcqcn-paper' : setting === 'swift' ? 'swift' : 'none',
    },
    traffic: [{ kind: 'all-to-all', jitter_us: 5 }],
    // A rate of 0 would mean that it takes packets as they come.
    changes: [{ at_us: STOP_MS * 1000, host: 0, receive_gbps: 0.001 }],
  };
}
