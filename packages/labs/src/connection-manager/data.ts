/** Transfers over a connection, however it was set up: WRITEs, then a READ that brings the bytes back. */
import { median, type EndpointHandle } from '@verbslab/protocol';
import type { Context, Way } from './trace.js';

const SEED = 20_261_125;
const WAIT_MS = 5000;

/** Ends of a connection as the WRITEs see them. */
export interface Ends {
  client: EndpointHandle;
  server: EndpointHandle;
  /** Handles at the client, and the region at the server. */
  qp: number;
  cq: number;
  mr: number;
  serverMr: number;
  /** The server’s memory, as the client received it in the private data. */
  remote: { addr: string; rkey: number };
}

export interface Moved {
  /** Times of the WRITEs, ns, sorted. */
  writeNs: number[];
  /** Statuses of all requests, without those of successes. */
  failed: string[];
  same: boolean;
}

/** Moves data both ways. A failed request ends it. */
export async function moveData(ctx: Context, way: Way, ends: Ends): Promise<Moved> {
  const { size, turns } = ctx.params;
  const { client, server, qp, cq, mr, serverMr, remote } = ends;
  await client.call('fillMemory', { mr, offset: 0, length: size, seed: SEED });
  const moved: Moved = { writeNs: [], failed: [], same: false };
  const post = async (opcode: 'RDMA_WRITE' | 'RDMA_READ', offset: number): Promise<number> => {
    const { completions, elapsedNs } = await client.call('postAndWait', {
      qp,
      cq,
      wr: { opcode, local: [{ mr, offset, length: size }], remote },
      timeoutMs: WAIT_MS,
    });
    const status = completions[0]?.statusName ?? 'no completion';
    if (status !== 'SUCCESS') moved.failed.push(status);
    return elapsedNs;
  };
  const hash = async (at: EndpointHandle, region: number, offset: number): Promise<string> =>
    (await at.call('hashMemory', { mr: region, offset, length: size })).sha256;

  for (let i = 0; i < turns && moved.failed.length === 0; i++)
    moved.writeNs.push(await post('RDMA_WRITE', 0));
  moved.writeNs.sort((a, b) => a - b);
  const readNs = await post('RDMA_READ', size);
  const rows = [
    ['RDMA WRITE, median', medianOf(moved.writeNs)],
    ['RDMA READ', readNs],
  ] as const;
  for (const [call, ns] of rows)
    ctx.row('trace', {
      way,
      endpoint: 'client',
      tag: 'data, per message',
      call,
      event: 'CQE',
      time: ns === null ? null : ns / 1000,
    });
  const sent = await hash(client, mr, 0);
  moved.same = sent === (await hash(server, serverMr, 0)) && sent === (await hash(client, mr, size));
  return moved;
}

/** Null if there are no values. */
export const medianOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : median(values);
