/** Scenarios of the fabric simulator by name (docs/simulator.md has all their members), and changes to them by the path of a member. */
import type { Scenario } from '@verbslab/protocol';
import { refused } from '../../simulator/simulator.js';

export interface NamedScenario {
  name: string;
  /** The question that it answers. */
  asks: string;
  scenario: Scenario;
}

const KIB = 1024;
const MIB = KIB * KIB;
const ECN = { kmin_bytes: 40_000, kmax_bytes: 200_000, pmax: 0.2 };

export const SCENARIOS: readonly NamedScenario[] = [
  {
    name: 'incast',
    asks: 'How deep is the queue when 16 hosts write to one?',
    scenario: {
      duration_us: 20_000,
      until_done: true,
      sample_us: 20,
      topology: { kind: 'star', hosts: 17 },
      switch: { buffer_bytes: 4_000_000, pfc: true },
      traffic: [{ kind: 'incast', to: 0, bytes: MIB }],
    },
  },
  {
    name: 'two-flows',
    asks: 'Do two flows share a link under DCQCN, and when?',
    scenario: {
      duration_us: 40_000,
      sample_us: 200,
      topology: { kind: 'star', hosts: 3 },
      switch: { ecn: ECN },
      transport: { congestion: 'dcqcn-paper' },
      traffic: [
        { kind: 'flow', from: 1, to: 0 },
        { kind: 'flow', from: 2, to: 0, start_us: 5000 },
      ],
    },
  },
  {
    name: 'permutation',
    asks: 'What does ECMP leave of the links between leaves and spines?',
    scenario: {
      duration_us: 2000,
      sample_us: 100,
      topology: { kind: 'leaf-spine', leaves: 4, spines: 4, hosts_per_switch: 4 },
      switch: { pfc: true },
      traffic: [{ kind: 'permutation' }],
    },
  },
  {
    name: 'all-to-all',
    asks: 'How long does each of 16 hosts need to reach every other?',
    scenario: {
      duration_us: 100_000,
      until_done: true,
      sample_us: 100,
      topology: { kind: 'leaf-spine', leaves: 4, spines: 4, hosts_per_switch: 4 },
      switch: { pfc: true },
      traffic: [{ kind: 'all-to-all', bytes: 256 * KIB }],
    },
  },
  {
    name: 'all-reduce',
    asks: 'What do lost packets cost a ring all-reduce?',
    scenario: {
      duration_us: 1_000_000,
      until_done: true,
      sample_us: 1000,
      topology: { kind: 'star', hosts: 8 },
      link: { loss: 0.0001 },
      transport: { timeout: 10 },
      traffic: [{ kind: 'ring-all-reduce', bytes: 64 * MIB }],
    },
  },
  {
    name: 'loss',
    asks: 'What is left of a link that loses 0.4 % of its packets?',
    scenario: {
      duration_us: 200_000,
      sample_us: 2000,
      topology: { kind: 'back-to-back' },
      link: { loss: 0.004 },
      transport: { timeout: 10 },
      traffic: [{ kind: 'flow', from: 0, to: 1 }],
    },
  },
  {
    name: 'go-back-0',
    asks: 'How can a link be full and deliver nothing?',
    scenario: {
      duration_us: 20_000,
      sample_us: 1000,
      topology: { kind: 'back-to-back' },
      link: { lose_every: 256 },
      transport: { recovery: 'go-back-0', message_bytes: 4 * MIB },
      traffic: [{ kind: 'flow', from: 0, to: 1 }],
    },
  },
  {
    name: 'slow-receiver',
    asks: 'How often does a NIC that takes 80 of 100 Gb/s pause its switch?',
    scenario: {
      duration_us: 10_000,
      sample_us: 100,
      topology: { kind: 'star', hosts: 2 },
      host: { receive_gbps: 80 },
      switch: { pfc: true },
      transport: { window_bytes: 4 * MIB },
      traffic: [{ kind: 'flow', from: 1, to: 0 }],
    },
  },
  {
    name: 'routing-loop',
    asks: 'From which rate on does a loop of two switches deadlock under PFC?',
    scenario: {
      duration_us: 6000,
      sample_us: 100,
      topology: { kind: 'ring', switches: 2, hosts_per_switch: 2, clockwise: true, loop: true },
      link: { rate_gbps: 40 },
      host: { ttl: 16 },
      switch: { buffer_bytes: 1_000_000, pfc: true, xoff_bytes: 40_000 },
      traffic: [{ kind: 'raw', from: 2, to: 0, rate_gbps: 6 }],
    },
  },
];

/** Short names of the members that are changed most. */
export const SHORT: Readonly<Record<string, string>> = {
  hosts: 'topology.hosts',
  congestion: 'transport.congestion',
  recovery: 'transport.recovery',
  window: 'transport.window_bytes',
  timeout: 'transport.timeout',
  mtu: 'transport.mtu',
  pfc: 'switch.pfc',
  buffer: 'switch.buffer_bytes',
  loss: 'link.loss',
};

export type MemberValue = string | number | boolean;

const valueOf = (text: string): MemberValue => {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Changes a scenario in place. `change` is `path=value`, as `hosts=32` or `traffic.0.bytes=65536`. Returns the whole
 * path and the value. Throws AppError SCENARIO_REFUSED.
 */
export function setMember(scenario: Scenario, change: string): [string, MemberValue] {
  const at = change.indexOf('=');
  if (at < 1) throw refused(`“${change}” is no change. Write NAME=VALUE, as hosts=32`);
  const given = change.slice(0, at);
  const whole = SHORT[given] ?? given;
  const value = valueOf(change.slice(at + 1));
  const path = whole.split('.');
  const last = path.pop()!;
  let holder: Record<string, unknown> = scenario;
  for (const name of path) {
    const next = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (next === undefined && !Array.isArray(holder)) {
      const made: Record<string, unknown> = {};
      Object.defineProperty(holder, name, {
        value: made,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      holder = made;
    } else if (isObject(next)) holder = next;
    else throw refused(`${given} leads nowhere: ${name} holds no members`);
  }
  if (Array.isArray(holder) && !Object.hasOwn(holder, last))
    throw refused(`${given} leads nowhere: there is no ${last}`);
  Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
  return [whole, value];
}
