/** The two fabrics of the lab. Buffers are large: no packet is lost. */
import type { Scenario, Simulated } from '@verbslab/protocol';
import { busiestPath, shareInUse } from '../formulas/hashing.js';
import { fullGoodput } from '../fabric/frames.js';

const MTU = 4096;
const GBPS = 100;
const KIB = 1024;
/** Uplinks of each switch of the fabric of two tiers, which has 16 paths between two of its pods. */
export const ARITY = 8;
const UPLINKS = ARITY / 2;
export const PAIRS = UPLINKS * UPLINKS;

/** Microseconds in which the links of the hosts carry their bytes, if no path is shared. */
export const idealUs = (bytes: number): number => (bytes * 8) / (fullGoodput(MTU, GBPS) * 1000);

/** When the lab looks at the uplinks: all flows are under way. */
const WATCHED_US = 50;
/** Share of a link's rate above which it carries more than ACKs. */
const IN_USE = 0.1;

interface Traffic {
  qps: number;
  bytes: number;
  seed: number;
}

function scenarioOf(pairs: number, topology: Scenario, { qps, bytes, seed }: Traffic): Scenario {
  return {
    seed,
    duration_us: 200_000,
    until_done: true,
    topology,
    switch: { buffer_bytes: 400_000_000, lossy_alpha: 64 },
    transport: {
      qps,
      message_bytes: 64 * KIB,
      // All QPs of a pair together may have as much in flight as one alone.
      window_bytes: Math.max((256 * KIB) / qps, 16 * KIB),
    },
    traffic: Array.from({ length: pairs }, (_, from) => ({
      kind: 'flow',
      from,
      to: pairs + from,
      count: qps,
      bytes: Math.floor(bytes / qps),
    })),
  };
}

/** Two leaves with this many hosts and spines: each host sends to one of the other leaf. */
export const oneTier = (uplinks: number, traffic: Traffic): Scenario => ({
  name: 'One tier',
  ...scenarioOf(
    uplinks,
    { kind: 'leaf-spine', leaves: 2, spines: uplinks, hosts_per_switch: uplinks },
    traffic,
  ),
  ...(traffic.qps === 1 ? { sample_us: WATCHED_US, sample_links: 8 * uplinks } : {}),
});

/** Share of the first leaf's uplinks that carry data, between 0 and 1. The ports of the hosts come before them. */
export function usedOf({ samples }: Pick<Simulated, 'samples'>, uplinks: number): number {
  const links = samples[0]?.links ?? [];
  const used = links.filter(
    ({ at, number, port, use }) => at === 'switch' && number === 0 && port >= uplinks && use > IN_USE,
  );
  return used.length / uplinks;
}

/** All hosts of a pod of a fat tree send to those of the next. */
export const twoTiers = (sameSeed: boolean, traffic: Traffic): Scenario => ({
  name: sameSeed ? 'Two tiers, one seed' : 'Two tiers, own seeds',
  ...scenarioOf(PAIRS, { kind: 'fat-tree', arity: ARITY, same_hash_seed: sameSeed }, traffic),
});

/** Expected time over `idealUs`: that of the busiest path. */
export const oneTierFormula = (uplinks: number, qps: number): number =>
  Math.max(1, busiestPath({ paths: uplinks, flows: uplinks * qps }) / qps);

export const twoTiersFormula = (sameSeed: boolean, qps: number): number =>
  (sameSeed
    ? busiestPath({ paths: UPLINKS, flows: PAIRS * qps })
    : busiestPath(
        { paths: UPLINKS, flows: UPLINKS * qps, sets: UPLINKS },
        { paths: PAIRS, flows: PAIRS * qps },
      )) / qps;

export const usedFormula = (uplinks: number): number => shareInUse(uplinks, uplinks);
