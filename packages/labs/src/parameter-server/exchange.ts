/** A worker pulls the model and pushes a gradient; the server takes pushes and writes the model. */
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { remoteOf } from '../endpoints/side.js';
import { completions, complete } from '../endpoints/verbs.js';
import type { Context, Ends, Server, Worker } from './endpoints.js';
import {
  chunkOf,
  chunksOf,
  decodeModel,
  decodePush,
  encodeModel,
  encodePush,
  immediateOf,
  modelBytes,
  pushBytes,
  stepOf,
  type Model,
  type Pushed,
} from './layout.js';

/** Pulls everything with one READ. The server’s program makes no call for it. */
export async function pull(
  ctx: Context,
  { endpoint, qp, sendCq, mr }: Worker,
  server: Server,
): Promise<Model> {
  const length = modelBytes(ctx.params);
  const local = [{ mr: mr.mr, offset: 0, length }];
  await complete(
    { endpoint, qp, cq: sendCq },
    { opcode: 'RDMA_READ', local, remote: remoteOf({ mr: server.model }) },
    { name: 'READ', what: 'READ of the model' },
  );
  return decodeModel(ctx.params, await readBytes({ endpoint, mr }, 0, length));
}

/** Pushes all chunks with one call; only the last one is signaled. The worker waits for its completion. */
export async function push(
  ctx: Context,
  { number, endpoint, mr, qp, sendCq }: Worker,
  server: Server,
  step: number,
  gradient: Float32Array,
): Promise<void> {
  const { params } = ctx;
  const own = modelBytes(params);
  await writeBytes({ endpoint, mr }, own, encodePush(params, gradient));
  const chunks = chunksOf(params);
  await endpoint.call('postSendList', {
    qp: qp.qp,
    wrs: chunks.map(({ place, bytes }, i) => ({
      opcode: 'RDMA_WRITE_WITH_IMM' as const,
      local: [{ mr: mr.mr, offset: own + place, length: bytes }],
      remote: remoteOf({ mr: server.pushes }, number * pushBytes(params) + place),
      imm: immediateOf(step, i),
      signaled: i === chunks.length - 1,
    })),
  });
  await completions(endpoint, sendCq, 1, 'RDMA WRITE with immediate');
}

/** A notification that the server’s CQ held. */
export interface Notice {
  worker: number;
  immediate: number;
  bytes: number;
}

export interface Taken extends Pushed {
  worker: number;
  /** Notifications in the order of the CQ. */
  notices: Notice[];
}

/** RECVs without a buffer: the data goes where the WRITE says. */
export async function postRecvs({ endpoint }: Server, { far }: Worker, count: number): Promise<void> {
  await endpoint.call('postRecv', { qp: far.qp, wr: {}, count });
}

/** Waits for the pushes of these workers and posts RECVs for their next ones. */
export async function take(ctx: Context, { server, workers }: Ends, of: readonly Worker[]): Promise<Taken[]> {
  const { params } = ctx;
  const { endpoint, recvCq, pushes } = server;
  const chunks = chunksOf(params).length;
  const noticed = await completions(endpoint, recvCq, of.length * chunks, 'RECV');
  const notices = noticed.map(({ qpn, imm = 0, byteLen }) => ({
    worker: workers.findIndex(({ far }) => far.info.qpn === qpn),
    immediate: imm,
    bytes: byteLen,
  }));
  const taken: Taken[] = [];
  for (const worker of of) {
    const { number } = worker;
    const length = pushBytes(params);
    const bytes = await readBytes({ endpoint, mr: pushes }, number * length, length);
    taken.push({
      worker: number,
      notices: notices.filter((one) => one.worker === number),
      ...decodePush(params, bytes),
    });
    await postRecvs(server, worker, chunks);
  }
  return taken;
}

export async function publish(ctx: Context, { endpoint, model }: Server, next: Model): Promise<void> {
  await writeBytes({ endpoint, mr: model }, 0, encodeModel(ctx.params, next));
}

/** True if these are all chunks of one step, each following the one before. */
export const inOrder = (notices: readonly Notice[], step: number, chunks: number): boolean =>
  notices.length === chunks &&
  notices.every(({ immediate }, i) => stepOf(immediate) === step && chunkOf(immediate) === i);
