/** Time of a row and its watermark, with and without a wait for the completion in between. */
import { median, type EndpointArgs } from '@verbslab/protocol';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/memory.js';
import { prepare, type Context, type Ends } from './endpoints.js';
import { rowBytes, rowPlace } from './row.js';

type Moves = EndpointArgs<'performRounds'>['moves'];

const TIMES = 15;
const TIMEOUT_MS = 10_000;

/** Moves of both ways. Both WRITEs go to the place of the first row. */
function movesOf(ctx: Context, { writer, store }: Ends): Record<'waited' | 'together', Moves> {
  const place = rowPlace(ctx.params, 1);
  const write = (at: number, length: number, signaled: boolean): Moves[number] => ({
    move: 'post',
    wr: {
      opcode: 'RDMA_WRITE',
      local: [{ mr: writer.mr.mr, offset: at, length }],
      remote: remoteOf(store, at),
      signaled,
    },
  });
  const sent: Moves[number] = { move: 'sent', count: 1 };
  const length = rowBytes(ctx.params);
  const watermark = write(0, WORD_BYTES, true);
  return {
    waited: [write(place, length, true), sent, watermark, sent],
    together: [write(place, length, false), watermark, sent],
  };
}

export async function timeCommits(ctx: Context, ends: Ends): Promise<void> {
  const { endpoint, qp, cq } = ends.writer;
  await inPhase(ctx, 'commits', 'Time of a row and its watermark', async () => {
    await prepare(ctx, ends, 1);
    for (const [name, moves] of Object.entries(movesOf(ctx, ends))) {
      const { timesNs } = await endpoint.call('performRounds', {
        ...{ qp: qp.qp, sendCq: cq, recvCq: cq, moves, rounds: TIMES, first: 0 },
        ...{ wait: 'poll', timeoutMs: TIMEOUT_MS },
      });
      const us = timesNs.map((ns) => ns / 1000);
      ctx.figure(name, median(us), { min: Math.min(...us), max: Math.max(...us), n: us.length });
    }
  });
}
