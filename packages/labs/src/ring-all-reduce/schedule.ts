/**
 * Programs of the hosts in an all-reduce. A host’s memory has three areas: its own vector, the sum, and slots for
 * received vectors that must be added. Hosts, parts and elements are numbered from 0.
 */

export const ALGORITHMS = ['ring', 'tree'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
export const NAMES: Record<Algorithm, string> = { ring: 'Ring', tree: 'Binary tree' };

/** A place in an area: from element `first` on. */
export interface Spot {
  area: 'own' | 'sum' | 'slots';
  first: number;
}

export type Act =
  /** A message of `count` elements. */
  | { act: 'send'; step: number; to: number; from: Spot; into: Spot; count: number }
  /** Waits for the next message of this host. */
  | { act: 'get'; step: number; from: number }
  | { act: 'add'; step: number; into: Spot; a: Spot; b: Spot; count: number };

const own = (first: number): Spot => ({ area: 'own', first });
const sum = (first: number): Spot => ({ area: 'sum', first });
const slots = (first: number): Spot => ({ area: 'slots', first });

/** N − 1 steps to add up one part after the other, N − 1 to pass the sums on. */
function ring(hosts: number, host: number, elements: number): Act[] {
  const count = elements / hosts;
  const to = (host + 1) % hosts;
  const from = (host + hosts - 1) % hosts;
  const partAt = (part: number): number => ((part + 2 * hosts) % hosts) * count;
  const acts: Act[] = [];
  for (let s = 0; s < hosts - 1; s++) {
    const step = s + 1;
    const first = partAt(host - s);
    acts.push({
      act: 'send',
      step,
      to,
      from: s === 0 ? own(first) : sum(first),
      into: slots(s * count),
      count,
    });
    acts.push({ act: 'get', step, from });
    const got = partAt(host - s - 1);
    acts.push({ act: 'add', step, into: sum(got), a: slots(s * count), b: own(got), count });
  }
  for (let s = 0; s < hosts - 1; s++) {
    const step = hosts + s;
    const first = partAt(host + 1 - s);
    acts.push({ act: 'send', step, to, from: sum(first), into: sum(first), count });
    acts.push({ act: 'get', step, from });
  }
  return acts;
}

/**
 * Binary tree: in round k, one of each two hosts 2^k apart sends all to the other, which adds; then the sum goes back
 * the same way.
 */
function tree(hosts: number, host: number, elements: number): Act[] {
  const rounds = Math.ceil(Math.log2(hosts));
  const up: Act[] = [];
  const down: Act[] = [];
  let held = own(0);
  for (let k = 0; k < rounds; k++) {
    const distance = 2 ** k;
    const [add, pass] = [k + 1, 2 * rounds - k];
    const into = slots(k * elements);
    if (host % (2 * distance) === distance) {
      const parent = host - distance;
      up.push({ act: 'send', step: add, to: parent, from: held, into, count: elements });
      down.unshift({ act: 'get', step: pass, from: parent });
      break;
    }
    const child = host + distance;
    if (child >= hosts) continue;
    up.push({ act: 'get', step: add, from: child });
    up.push({ act: 'add', step: add, into: sum(0), a: into, b: held, count: elements });
    held = sum(0);
    down.unshift({ act: 'send', step: pass, to: child, from: held, into: sum(0), count: elements });
  }
  return [...up, ...down];
}

/** @param elements a multiple of `hosts` */
export const programOf = (algorithm: Algorithm, hosts: number, host: number, elements: number): Act[] =>
  algorithm === 'ring' ? ring(hosts, host, elements) : tree(hosts, host, elements);

export interface Costs {
  /** Steps, one after the other. */
  steps: number;
  /** Messages of all hosts. */
  messages: number;
  /** Vectors that the busiest sender sends. */
  most: number;
  /** Vectors that go over links one after the other. */
  serial: number;
}

/** Costs by the formulas. */
export function costsOf(algorithm: Algorithm, hosts: number): Costs {
  const rounds = Math.ceil(Math.log2(hosts));
  const each = 2 * (hosts - 1);
  return algorithm === 'ring'
    ? { steps: each, messages: hosts * each, most: each / hosts, serial: each / hosts }
    : { steps: 2 * rounds, messages: each, most: rounds, serial: 2 * rounds };
}

/** Vectors that the slots of a host take: a tree’s root needs one for each child. */
export const slotsOf = (hosts: number): number => Math.ceil(Math.log2(hosts));

/** Neighbors of a ring or of the tree. */
export function areNeighbors(hosts: number, a: number, b: number): boolean {
  const next = (a + 1) % hosts === b || (b + 1) % hosts === a;
  const apart = Math.abs(a - b);
  const lower = Math.min(a, b);
  return next || (Number.isInteger(Math.log2(apart)) && lower % (2 * apart) === 0);
}

/** Elements of each message that a host sends in one all-reduce. */
export const sendsOf = (algorithm: Algorithm, hosts: number, host: number, elements: number): number[] =>
  programOf(algorithm, hosts, host, elements).flatMap((one) => (one.act === 'send' ? [one.count] : []));
