/** A client and a server with a ring: requests go into the server’s memory, results into the client’s. */
import type { LabContext } from '@verbslab/protocol';
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { PATIENT_WITH_RECVS } from '../endpoints/timeouts.js';
import { openOwner, type Region, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides, remoteOf } from '../endpoints/side.js';
import type { InferenceRingParams } from './params.js';
import {
  decodeSlots,
  encodeSlots,
  resultsBytes,
  ringBytes,
  runsOf,
  slotBytes,
  type Request,
} from './ring.js';

export type Context = LabContext<InferenceRingParams>;

export interface End extends Owner {
  /** The ring, then the results, then room for as much as the ring: the model’s weights and its sums. */
  mr: Region;
  queues: Queues;
  /** A second connection, for the part without a RECV. */
  bare: Queues;
}

export interface Ends {
  client: End;
  server: End;
}

/** Entries of a queue for requests without credits, and for a batch with its notification. */
const depthOf = ({ params: { slots } }: Context): number => 2 * slots + 16;

export const resultsAt = (params: InferenceRingParams): number => ringBytes(params);
export const weightsAt = (params: InferenceRingParams): number => ringBytes(params) + resultsBytes(params);
export const sumsAt = (params: InferenceRingParams): number => weightsAt(params) + ringBytes(params);

async function open(ctx: Context, name: string): Promise<End> {
  const { params } = ctx;
  const length = sumsAt(params) + ringBytes(params);
  const owner = await openOwner(ctx.endpoint(name), length, ['LOCAL_WRITE', 'REMOTE_WRITE']);
  const queues = (): Promise<Queues> => owner.scope.queues(params.link, depthOf(ctx));
  return { ...owner, queues: await queues(), bare: await queues() };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [client, server] = [await open(ctx, 'client'), await open(ctx, 'server')];
  for (const name of ['queues', 'bare'] as const) {
    const [a, b] = [client, server].map(({ endpoint, [name]: { qp } }) => ({ endpoint, qp }));
    await connectSides(ctx, [a!, b!], ctx.params.link, PATIENT_WITH_RECVS);
  }
  return { client, server };
}

/** RECVs without a buffer: notifications have no bytes, and results go where the WRITE says. */
export async function postRecvs({ endpoint }: End, { qp }: Queues, count: number): Promise<void> {
  await endpoint.call('postRecv', { qp: qp.qp, wr: {}, count });
}

/** Writes these requests into the client’s own copy of the ring. */
export async function prepare({ params }: Context, client: End, first: number, count: number): Promise<void> {
  for (const run of runsOf(params, first, count))
    await writeBytes(client, run.slot * slotBytes(params), encodeSlots(params, run.first, run.count));
}

/** The WRITEs of a batch, one per request, and its notification: no bytes, and the id as immediate. */
export function batchOf(
  { params }: Context,
  { client, server }: Ends,
  first: number,
  count: number,
  id: number,
) {
  const length = slotBytes(params);
  const writes = runsOf(params, first, count).flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => {
      const offset = (run.slot + i) * length;
      return {
        opcode: 'RDMA_WRITE' as const,
        local: [{ mr: client.mr.mr, offset, length }],
        remote: remoteOf(server, offset),
        signaled: false,
      };
    }),
  );
  const notice = { opcode: 'RDMA_WRITE_WITH_IMM' as const, remote: remoteOf(server), imm: id };
  return [...writes, { ...notice, signaled: true }];
}

/** Requests in these slots now. */
export async function look(
  { params }: Context,
  server: End,
  first: number,
  count: number,
): Promise<Request[]> {
  const found: Request[] = [];
  for (const run of runsOf(params, first, count)) {
    const length = slotBytes(params);
    const bytes = await readBytes(server, run.slot * length, run.count * length);
    found.push(...decodeSlots(params, bytes));
  }
  return found;
}
