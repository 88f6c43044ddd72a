/** CPU time of the server for a pull and a push of one chunk. */
import type { EndpointArgs } from '@verbslab/protocol';
import { cpuPer, withCpu, type ProcessCpu } from '../load/process-cpu.js';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import { MEASURED, WARM_UP, type Context, type Ends } from './endpoints.js';
import { postRecvs } from './exchange.js';
import { chunksOf, modelBytes } from './layout.js';

type Moves = EndpointArgs<'performRounds'>['moves'];

const TIMEOUT_MS = 10_000;

export interface ServerCpu {
  /** CPU time per chunk. */
  pull: ProcessCpu;
  push: ProcessCpu;
}

/** Measures pulls and pushes of the same number of bytes. The server sleeps until a notification comes. */
export async function measureServer(ctx: Context, { server, workers }: Ends): Promise<ServerCpu> {
  const [worker] = workers;
  const { endpoint, qp, sendCq, recvCq, mr, far } = worker!;
  const chunks = chunksOf(ctx.params);
  const { bytes } = chunks[0]!;
  const local = [{ mr: mr.mr, offset: modelBytes(ctx.params), length: bytes }];
  const ask = (moves: Moves, first: number, rounds: number): Promise<unknown> =>
    endpoint.call('performRounds', {
      ...{ qp: qp.qp, sendCq, recvCq, moves, rounds, first },
      ...{ wait: 'poll', timeoutMs: TIMEOUT_MS },
    });
  const answer = (first: number, rounds: number): Promise<unknown> =>
    server.endpoint.call('performRounds', {
      ...{ qp: far.qp, sendCq: server.sendCq, recvCq: server.recvCq, rounds, first },
      moves: [
        { move: 'received', count: 1 },
        { move: 'recv', wr: {} },
      ],
      ...{ wait: 'event', timeoutMs: TIMEOUT_MS },
    });
  const sent = { move: 'sent' as const, count: 1 };
  const read = remoteOf({ mr: server.model });
  const pulls: Moves = [{ move: 'post', wr: { opcode: 'RDMA_READ', local, remote: read } }, sent];
  const write = remoteOf({ mr: server.pushes });
  const pushes: Moves = [
    { move: 'post', wr: { opcode: 'RDMA_WRITE_WITH_IMM', local, remote: write, imm: 0 } },
    sent,
  ];
  return inPhase(ctx, 'server-cpu', 'CPU time of the server for pulls and pushes', async () => {
    await ask(pulls, 0, WARM_UP);
    const pull = await withCpu(server.endpoint, () => ask(pulls, WARM_UP, MEASURED));
    // A server that is late must not lead to RNR NAKs, which would cost CPU time of their own.
    const missing = MEASURED + WARM_UP - chunks.length;
    if (missing > 0) await postRecvs(server, worker!, missing);
    await Promise.all([ask(pushes, 0, WARM_UP), answer(0, WARM_UP)]);
    const push = await withCpu(server.endpoint, () =>
      Promise.all([ask(pushes, WARM_UP, MEASURED), answer(WARM_UP, MEASURED)]),
    );
    return { pull: cpuPer(pull.cpu, MEASURED), push: cpuPer(push.cpu, MEASURED) };
  });
}
