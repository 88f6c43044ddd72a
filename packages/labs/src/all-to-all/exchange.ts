/** An all-to-all exchange: every host sends a block to every other one. */
import { complete } from '../endpoints/verbs.js';
import { hashOf, remoteOf } from '../endpoints/side.js';
import type { Host } from '../collective/hosts.js';
import { scheduleOf, type Algorithm, type Round } from './schedule.js';

const TIMEOUT_MS = 20_000;
/** Fill seed of the memory where blocks are to arrive. Hosts fill their own blocks with their numbers from 1. */
const EMPTY_SEED = 0xffff;

/** Hosts that all have a connection with each other. */
export interface Hosts {
  all: Host[];
  /** Blocks that one message may gather. */
  gather: number;
}

export interface Exchange {
  /** The slowest host of each round, added up. */
  elapsedNs: number;
  /** WRITEs and bytes of each host, as their completions count them. */
  messages: number[];
  bytes: number[];
  /** Blocks that arrived at their hosts with the right bytes, of `expected`. */
  right: number;
  expected: number;
}

interface Sent {
  elapsedNs: number;
  messages: number;
  bytes: number;
}

/** The blocks of a round, in as few messages as the gather list allows. */
async function sendRound({ all, gather }: Hosts, host: Host, round: Round, size: number): Promise<Sent> {
  const { endpoint, mr, queues } = host;
  const { peer, blocks, into } = round;
  const { qp, sendCq } = queues.get(peer)!;
  const sent: Sent = { elapsedNs: 0, messages: 0, bytes: 0 };
  for (let first = 0; first < blocks.length; first += gather) {
    const some = blocks.slice(first, first + gather);
    const local = some.map(({ place }) => ({ mr: mr.mr, offset: place * size, length: size }));
    sent.elapsedNs += await complete(
      { endpoint, qp, cq: sendCq },
      { opcode: 'RDMA_WRITE', local, remote: remoteOf(all[peer]!, (into + first) * size) },
      {
        ...{ name: 'WRITE', what: 'completion of the WRITE', timeoutMs: TIMEOUT_MS },
        cure: 'Use fewer hosts, or look at the packets.',
      },
    );
    sent.messages++;
    sent.bytes += some.length * size;
  }
  return sent;
}

/** Every block has a pattern of its own, and nothing is where a block is to arrive. */
export async function fill({ all }: Hosts, size: number): Promise<void> {
  await Promise.all(
    all.map(async ({ endpoint, mr }, i) => {
      const own = all.length * size;
      await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: own, seed: i + 1 });
      const rest = { offset: own, length: mr.length - own, seed: EMPTY_SEED };
      await endpoint.call('fillMemory', { mr: mr.mr, ...rest });
    }),
  );
}

/** Compares each block where it arrived with where it came from. */
async function countRight({ all }: Hosts, arrivals: readonly number[][], size: number): Promise<number> {
  const same = async (from: number, to: number): Promise<boolean> => {
    const sent = hashOf(all[from]!, to * size, size);
    return (await sent) === (await hashOf(all[to]!, arrivals[to]![from]! * size, size));
  };
  const pairs = all.flatMap((_, from) => all.flatMap((__, to) => (from === to ? [] : [same(from, to)])));
  return (await Promise.all(pairs)).filter(Boolean).length;
}

/** Rejects with AppError if a WRITE fails. All hosts begin a round when the one before is complete everywhere. */
export async function exchange(hosts: Hosts, algorithm: Algorithm, size: number): Promise<Exchange> {
  const { all } = hosts;
  await fill(hosts, size);
  const schedules = all.map((_, host) => scheduleOf(algorithm, all.length, host));
  const messages = all.map(() => 0);
  const bytes = all.map(() => 0);
  let elapsedNs = 0;
  for (const r of schedules[0]!.rounds.keys()) {
    const sent = await Promise.all(
      all.map((host, i) => sendRound(hosts, host, schedules[i]!.rounds[r]!, size)),
    );
    elapsedNs += Math.max(...sent.map((one) => one.elapsedNs));
    for (const [i, one] of sent.entries()) {
      messages[i]! += one.messages;
      bytes[i]! += one.bytes;
    }
  }
  const arrivals = schedules.map((one) => one.arrivals);
  const right = await countRight(hosts, arrivals, size);
  return { elapsedNs, messages, bytes, right, expected: all.length * (all.length - 1) };
}
