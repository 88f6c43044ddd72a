/** The ring of the lab, and the same hosts over leaf and spine. */
import type { Scenario } from '@verbslab/protocol';
import { dataFrame } from '../fabric/frames.js';
import type { PfcDeadlockParams } from './params.js';

const MTU = 4096;
export const GBPS = 100;
const HOPS = 2;
const POOL = 10_000_000;
/** Sources of the first part send for half of it. */
const RAW_US = 10_000;
/** Within which connections begin. */
const JITTER_US = 20;
export const FLOWS_US = 20_000;
export const SAMPLE_US = 500;

type Ring = Pick<PfcDeadlockParams, 'switches' | 'xoff' | 'detect' | 'seed'>;

/** Each host, and the one two switches on. */
const pairs = (count: number) =>
  Array.from({ length: count }, (_, from) => ({ from, to: (from + HOPS) % count }));

const ringOf = (switches: number) => ({ kind: 'ring', switches, hosts_per_switch: 1, clockwise: true });
const lossless = (xoff: number) => ({ buffer_bytes: POOL, pfc: true, xoff_bytes: xoff * 1000 });

/** Packets at a fixed rate, which no transport slows down. @param untilPause end at the first PAUSE */
export const fixedRate = ({ switches, xoff, seed }: Ring, gbps: number, untilPause: boolean): Scenario => ({
  name: `${gbps} Gb/s per host`,
  seed,
  duration_us: RAW_US,
  topology: ringOf(switches),
  switch: lossless(xoff),
  traffic: pairs(switches).map((pair) => ({
    kind: 'raw',
    ...pair,
    rate_gbps: gbps,
    packets: Math.floor((gbps * RAW_US * 1000) / 2 / 8 / dataFrame(MTU)),
  })),
  ...(untilPause ? { stop_at: { pause: true } } : {}),
});

/** The rate from which the links of the ring are overloaded. */
export const LIMIT = GBPS / HOPS;

/**
 * Time until the first PAUSE, µs. A link of the ring carries what its switch’s host sends, and what is in transit: `t`. Full
 * links send on both in proportion, so t = C r / (r + t). The host’s port holds its part of the queue, and is paused first.
 */
export function firstPauseUs(gbps: number, xoff: number): number {
  const transit = (-gbps + Math.sqrt(gbps ** 2 + 4 * GBPS * gbps)) / 2;
  const queue = (xoff * (gbps + transit)) / gbps;
  return (queue * 8) / (gbps + transit - GBPS);
}

export const SETTINGS = [
  { id: 'ring', name: 'Ring, PFC' },
  { id: 'drops', name: 'Ring, PFC, watchdog drops' },
  { id: 'forwards', name: 'Ring, PFC, watchdog forwards' },
  { id: 'lossy', name: 'Ring, lossy' },
  { id: 'tree', name: 'Leaf and spine, PFC' },
] as const;
export type SettingId = (typeof SETTINGS)[number]['id'];

function switchOf(id: SettingId, { xoff, detect }: Ring) {
  if (id === 'lossy') return { buffer_bytes: 2 * xoff * 1000, lossy_alpha: 1 };
  if (id === 'ring' || id === 'tree') return lossless(xoff);
  const us = detect * 1000;
  return { ...lossless(xoff), watchdog: { detect_us: us, restore_us: us, drops: id === 'drops' } };
}

/** Connections that send all the time. */
export const connections = (id: SettingId, ring: Ring): Scenario => ({
  name: SETTINGS.find((one) => one.id === id)!.name,
  seed: ring.seed,
  duration_us: FLOWS_US,
  sample_us: SAMPLE_US,
  topology:
    id === 'tree'
      ? { kind: 'leaf-spine', leaves: ring.switches, spines: 1, hosts_per_switch: 1 }
      : ringOf(ring.switches),
  switch: switchOf(id, ring),
  // Windows fill what the ports of a path may hold.
  transport: { timeout: 8, window_bytes: 6 * ring.xoff * 1000 },
  traffic: pairs(ring.switches).map((pair) => ({ kind: 'flow', ...pair, jitter_us: JITTER_US })),
});
