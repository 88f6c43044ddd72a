/**
 * Schedules of the all-to-all algorithms. A host’s memory is a row of places, each of one block: P blocks to send, P
 * places for pairwise exchange, and one for each block that Bruck’s algorithm moves.
 */

/** Hosts are numbered from 0. `from` and `to`: the host that the block is of, and the one that it is for. */
export interface Block {
  from: number;
  to: number;
  /** Place of the block at the sender. */
  place: number;
}

export interface Round {
  /** The host that gets the blocks. */
  peer: number;
  blocks: Block[];
  /** The first place at the peer; the blocks lie there one after the other. */
  into: number;
}

export interface Schedule {
  rounds: Round[];
  /** Final place of the block of each host; a host’s own block stays where it was. */
  arrivals: number[];
}

export const ALGORITHMS = ['pairwise', 'bruck'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
export const NAMES: Record<Algorithm, string> = { pairwise: 'Pairwise', bruck: 'Bruck' };

/** Blocks in slots from 0; round k moves those whose number has bit k. */
function movingIn(hosts: number): number[][] {
  const slots = Array.from({ length: hosts }, (_, slot) => slot);
  const rounds: number[][] = [];
  for (let step = 1; step < hosts; step *= 2) rounds.push(slots.filter((slot) => (slot & step) !== 0));
  return rounds;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Each host writes in round r to the host r places further. */
function pairwise(hosts: number, host: number): Schedule {
  const rounds = Array.from({ length: hosts - 1 }, (_, r): Round => {
    const peer = (host + r + 1) % hosts;
    return { peer, blocks: [{ from: host, to: peer, place: peer }], into: hosts + host };
  });
  const arrivals = Array.from({ length: hosts }, (_, from) => (from === host ? host : hosts + from));
  return { rounds, arrivals };
}

/**
 * A block in slot s must move s hosts on. In round k all slots whose number has bit k move 2^k on. Nothing is copied in between:
 * a block is sent on from where it arrived.
 */
function bruck(hosts: number, host: number): Schedule {
  const around = (n: number): number => (n + hosts) % hosts;
  const places = Array.from({ length: hosts }, (_, slot) => around(host + slot));
  let free = 2 * hosts;
  const rounds = movingIn(hosts).map((moving, k): Round => {
    const step = 2 ** k;
    const into = free;
    free += moving.length;
    const blocks = moving.map((slot): Block => {
      const from = around(host - (slot % step));
      return { from, to: around(from + slot), place: places[slot]! };
    });
    moving.forEach((slot, i) => (places[slot] = into + i));
    return { peer: around(host + step), blocks, into };
  });
  const arrivals = Array.from({ length: hosts }, (_, from) => places[around(host - from)]!);
  return { rounds, arrivals };
}

export const scheduleOf = (algorithm: Algorithm, hosts: number, host: number): Schedule =>
  algorithm === 'pairwise' ? pairwise(hosts, host) : bruck(hosts, host);

export interface Costs {
  rounds: number;
  messages: number;
  blocks: number;
}

/** Rounds, messages and blocks of one host, by the formulas. `gather`: blocks that one message may take. */
export function costsOf(algorithm: Algorithm, hosts: number, gather: number): Costs {
  if (algorithm === 'pairwise') return { rounds: hosts - 1, messages: hosts - 1, blocks: hosts - 1 };
  const moving = movingIn(hosts).map(({ length }) => length);
  return {
    rounds: Math.ceil(Math.log2(hosts)),
    messages: sum(moving.map((blocks) => Math.ceil(blocks / gather))),
    blocks: sum(moving),
  };
}

/** Places in the memory of a host. */
export const placesOf = (hosts: number): number => 2 * hosts + costsOf('bruck', hosts, 1).blocks;
