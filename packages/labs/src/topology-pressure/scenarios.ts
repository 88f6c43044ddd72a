/** Patterns of traffic over two fabrics, and what a hash leaves of their uplinks. */
import type { Scenario } from '@verbslab/protocol';
import { busiestPath } from '../formulas/hashing.js';
import { fullGoodput } from '../fabric/frames.js';

const MTU = 4096;
const GBPS = 100;
const WINDOW = 256 * 1024;

/** Where the NICs of a server are: all under one leaf, or each under the switch of its rail. */
export type FabricKind = 'leaf-spine' | 'rail';
export const FABRICS: readonly { kind: FabricKind; name: string }[] = [
  { kind: 'leaf-spine', name: 'Leaf-spine' },
  { kind: 'rail', name: 'Rails' },
];

export type PatternId = 'neighbor' | 'rank' | 'all';
export const PATTERNS: readonly { id: PatternId; name: string }[] = [
  { id: 'neighbor', name: 'To the next NIC' },
  { id: 'rank', name: 'To the same NIC of the next server' },
  { id: 'all', name: 'All-to-all' },
];

/** A fabric of n servers with n NICs each, with a spine for `over` hosts of a switch. */
export interface Setting {
  kind: FabricKind;
  pattern: PatternId;
  n: number;
  over: number;
}

/** µs in which a NIC sends or receives these bytes at full rate. */
export const onWireUs = (bytes: number): number => (bytes * 8) / (fullGoodput(MTU, GBPS) * 1000);

const spinesOf = ({ n, over }: Setting): number => Math.max(1, Math.round(n / over));

/** Bytes that a NIC sends to each of its receivers. @param bytes that it sends in all */
const eachOf = ({ pattern, n }: Setting, bytes: number): number =>
  pattern === 'all' ? Math.floor(bytes / (n * n - 1)) : bytes;

export const idealUs = (setting: Setting, bytes: number): number =>
  onWireUs(eachOf(setting, bytes)) * (setting.pattern === 'all' ? setting.n ** 2 - 1 : 1);

const large = { buffer_bytes: 400_000_000, lossy_alpha: 64 };

export function scenarioOf(setting: Setting, bytes: number, seed: number): Scenario {
  const { kind, pattern, n } = setting;
  const spines = spinesOf(setting);
  const each = eachOf(setting, bytes);
  const nics = n * n;
  return {
    name: `${kind}, ${pattern}`,
    seed,
    duration_us: 1_000_000,
    until_done: true,
    topology:
      kind === 'rail'
        ? { kind, hosts: n, rails: n, spines }
        : { kind, leaves: n, spines, hosts_per_switch: n },
    switch: large,
    transport: { window_bytes: WINDOW },
    traffic:
      pattern === 'all'
        ? [{ kind: 'all-to-all', bytes: each }]
        : Array.from({ length: nics }, (_, from) => ({
            kind: 'flow',
            from,
            to: (from + (pattern === 'neighbor' ? 1 : n)) % nics,
            bytes: each,
          })),
  };
}

/** Flows of a switch that leave by its uplinks. */
function leaving({ kind, pattern, n }: Setting): number {
  if (pattern === 'all') return n * (n * n - n);
  const local = pattern === 'neighbor' ? kind === 'leaf-spine' : kind === 'rail';
  if (!local) return n;
  return pattern === 'neighbor' ? 1 : 0;
}

/** Expected time over the ideal one: that of the busiest uplink. Spines see the flows of a switch again on the way down. */
export function formulaOf(setting: Setting): number {
  const flows = leaving(setting);
  if (flows === 0) return 1;
  const { n, pattern } = setting;
  const sets = pattern === 'all' ? 2 * n : n;
  const perNic = pattern === 'all' ? n * n - 1 : 1;
  return Math.max(1, busiestPath({ paths: spinesOf(setting), flows, sets }) / perNic);
}

/** Hosts of one switch in the second part, each with a share for every other. */
export const STAGGERED = 8;
export const ORDERS = [
  { id: 'once', name: 'All at once' },
  { id: 'same', name: 'In turn, all to the same host' },
  { id: 'staggered', name: 'In turn, each to another host' },
] as const;
export type OrderId = (typeof ORDERS)[number]['id'];

/** An all-to-all of `STAGGERED` hosts. The turns follow each other in the time that a share takes. */
export function orderScenario(order: OrderId, share: number): Scenario {
  const turn = onWireUs(share);
  const hosts = Array.from({ length: STAGGERED }, (_, i) => i);
  const turns = hosts.flatMap((at) =>
    hosts
      .map((from) => ({ from, to: order === 'same' ? at : (from + at + 1) % STAGGERED }))
      .filter(({ from, to }) => from !== to)
      .map((flow) => ({ kind: 'flow', ...flow, bytes: share, start_us: Math.round(at * turn) })),
  );
  return {
    name: `All-to-all, ${order}`,
    duration_us: 1_000_000,
    until_done: true,
    topology: { kind: 'star', hosts: STAGGERED },
    switch: large,
    transport: { window_bytes: WINDOW },
    traffic: order === 'once' ? [{ kind: 'all-to-all', bytes: share }] : turns,
  };
}

/**
 * Expected time over the ideal one. If all send to the same host in turn, the last host's turn begins when the ideal
 * time is over, and its link then still has all shares to carry.
 */
export const orderFormula = (order: OrderId): number => (order === 'same' ? 2 : 1);
