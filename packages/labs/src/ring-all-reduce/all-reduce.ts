/** All-reduces: every host runs its program, and nothing but messages keeps the hosts in step. */
import type { EndpointArgs, Move } from '@verbslab/protocol';
import type { Host } from '../collective/hosts.js';
import { remoteOf } from '../endpoints/side.js';
import { programOf, type Act, type Algorithm, type Spot } from './schedule.js';
import { countWrong, FLOAT } from './vectors.js';

const TIMEOUT_MS = 20_000;
/** Fill seed of memory before a sum is there. */
const EMPTY_SEED = 0xffff;

/** Offsets of the areas of a host’s memory, bytes. */
export interface Layout {
  sum: number;
  slots: number;
  length: number;
}

/** @param largest elements of the longest vector */
export const layoutOf = (largest: number, slots: number): Layout => ({
  sum: largest * FLOAT,
  slots: 2 * largest * FLOAT,
  length: (2 + slots) * largest * FLOAT,
});

const offsetOf = (layout: Layout, { area, first }: Spot): number =>
  (area === 'own' ? 0 : layout[area]) + first * FLOAT;

export interface AllReduce {
  algorithm: Algorithm;
  elements: number;
  /** Average time of an all-reduce at the slowest host, over all but the first, µs; NaN if there is no other. */
  us: number;
  /** Messages that each host received in one all-reduce, by the completions of its RECVs. */
  received: number[];
  /** Elements of all hosts together that are not the sum. */
  wrong: number;
}

/** Moves of a host: one per act, and another per message that arrives, which posts a new RECV. */
function movesOf(hosts: readonly Host[], host: Host, acts: readonly Act[], layout: Layout): Move[] {
  const { mr, queues } = host;
  const moves = acts.flatMap((one): Move[] => {
    if (one.act === 'get') {
      const { qp, recvCq } = queues.get(one.from)!;
      return [
        { move: 'received', cq: recvCq, count: 1 },
        { move: 'recv', qp: qp.qp, wr: {} },
      ];
    }
    if (one.act === 'add') {
      const [offset, a, b] = [one.into, one.a, one.b].map((spot) => offsetOf(layout, spot));
      return [{ move: 'add-floats', mr: mr.mr, offset: offset!, a: a!, b: b!, count: one.count }];
    }
    const wr = {
      opcode: 'RDMA_WRITE_WITH_IMM' as const,
      imm: one.step,
      local: [{ mr: mr.mr, offset: offsetOf(layout, one.from), length: one.count * FLOAT }],
      remote: remoteOf(hosts[one.to]!, offsetOf(layout, one.into)),
    };
    return [{ move: 'post', qp: queues.get(one.to)!.qp.qp, wr }];
  });
  for (const [peer, { sendCq }] of queues) {
    const count = acts.filter((one) => one.act === 'send' && one.to === peer).length;
    if (count > 0) moves.push({ move: 'sent', cq: sendCq, count });
  }
  return moves;
}

/** Enough for a neighbor that is one all-reduce ahead. */
export async function postAhead(hosts: readonly Host[], depth: number): Promise<void> {
  for (const { endpoint, queues } of hosts)
    for (const { qp } of queues.values())
      await endpoint.call('postRecv', { qp: qp.qp, wr: {}, count: depth });
}

/** `sums`: what must be in every host’s memory at the end. Rejects with AppError if a message fails or does not come. */
export async function allReduce(
  hosts: readonly Host[],
  layout: Layout,
  {
    algorithm,
    elements,
    times,
    sums,
  }: Pick<AllReduce, 'algorithm' | 'elements'> & { times: number; sums: string[] },
): Promise<AllReduce> {
  await Promise.all(
    hosts.map(({ endpoint, mr }) =>
      endpoint.call('fillMemory', {
        mr: mr.mr,
        offset: layout.sum,
        length: layout.length - layout.sum,
        seed: EMPTY_SEED,
      }),
    ),
  );
  const done = await Promise.all(
    hosts.map((host, i) => {
      const acts = programOf(algorithm, hosts.length, i, elements);
      // Every move names its own.
      const any = [...host.queues.values()][0]!;
      const args: EndpointArgs<'performRounds'> = {
        ...{ qp: any.qp.qp, sendCq: any.sendCq, recvCq: any.recvCq },
        moves: movesOf(hosts, host, acts, layout),
        ...{ rounds: times, first: 0, wait: 'event', timeoutMs: TIMEOUT_MS },
      };
      return host.endpoint.call('performRounds', args);
    }),
  );
  const wrong = await Promise.all(hosts.map((host) => countWrong(host, layout.sum, sums)));
  return {
    algorithm,
    elements,
    us: Math.max(...done.map(({ timesNs }) => meanUs(timesNs.slice(1)))),
    received: done.map(({ received }) => received / times),
    wrong: wrong.reduce((all, one) => all + one, 0),
  };
}

const meanUs = (timesNs: readonly number[]): number =>
  timesNs.reduce((all, one) => all + one, 0) / timesNs.length / 1000;
