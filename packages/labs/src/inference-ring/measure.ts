/** Batches of every size, one at a time, while the server sleeps between them. */
import { median, type EndpointArgs, type Move } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import {
  batchOf,
  postRecvs,
  prepare,
  resultsAt,
  sumsAt,
  weightsAt,
  type Context,
  type Ends,
} from './endpoints.js';
import { RESULT_BYTES, slotBytes } from './ring.js';

const WARM_UP = 2;
const TIMEOUT_MS = 10_000;

export interface Measured {
  batch: number;
  /** Time from the first post to the results, ns. */
  time: Stat;
  /** Times of the repetitions; all sizes have the same ones. */
  rounds: readonly number[];
}

function movesOf(ctx: Context, ends: Ends, batch: number): { client: Move[]; server: Move[] } {
  const { params } = ctx;
  const { client, server } = ends;
  const at = resultsAt(params);
  return {
    client: [
      ...batchOf(ctx, ends, 1, batch, batch).map((wr): Move => ({ move: 'post', wr })),
      { move: 'sent', count: 1 },
      { move: 'received', count: 1 },
      { move: 'recv', wr: {} },
    ],
    server: [
      { move: 'received', count: 1 },
      { move: 'recv', wr: {} },
      // The work of the model on every request: its features plus the weights.
      {
        move: 'add-floats',
        mr: server.mr.mr,
        offset: sumsAt(params),
        a: 0,
        b: weightsAt(params),
        count: (batch * slotBytes(params)) / 4,
      },
      {
        move: 'post',
        wr: {
          opcode: 'RDMA_WRITE_WITH_IMM',
          local: [{ mr: server.mr.mr, offset: at, length: batch * RESULT_BYTES }],
          remote: remoteOf(client, at),
          imm: batch,
        },
      },
      { move: 'sent', count: 1 },
    ],
  };
}

async function measureOne(ctx: Context, ends: Ends, batch: number): Promise<number> {
  const moves = movesOf(ctx, ends, batch);
  const ask = (
    { endpoint, queues: { qp, sendCq, recvCq } }: Ends['client'],
    own: Move[],
    wait: EndpointArgs<'performRounds'>['wait'],
  ) =>
    endpoint.call('performRounds', {
      ...{ qp: qp.qp, sendCq, recvCq, moves: own },
      ...{ rounds: ctx.params.rounds + WARM_UP, first: 0, wait, timeoutMs: TIMEOUT_MS },
    });
  const [asked] = await Promise.all([
    ask(ends.client, moves.client, 'poll'),
    ask(ends.server, moves.server, 'event'),
  ]);
  return median(asked.timesNs.slice(WARM_UP));
}

export async function measureBatches(ctx: Context, ends: Ends): Promise<Measured[]> {
  const { slots, repeat } = ctx.params;
  const { client, server } = ends;
  const sizes = powersOfTwo(slots);
  return inPhase(ctx, 'sizes', 'Batches of every size', async () => {
    await prepare(ctx, client, 1, slots);
    // Each that is taken is replaced.
    for (const end of [client, server]) await postRecvs(end, end.queues, 1);
    const found = await sweep(
      ctx,
      sizes,
      repeat,
      (size) => plural(size, 'request'),
      (size) => measureOne(ctx, ends, size),
    );
    return sizes.map((batch, i) => ({ batch, time: statOf(found[i]!), rounds: found[i]! }));
  });
}
