/** A request to the server, and its effects at both ends. */
import type { EndpointArgs } from '@verbslab/protocol';
import { attempt, type Bench, type Pair } from '../failures/bench.js';
import { REM_ACCESS_ERR } from '../endpoints/wc-statuses.js';

export const ACCESS_EVENT = 'QP_ACCESS_ERR';
/** Bytes of each request, as long as an atomic. */
export const BYTES = 8;

export type Wr = EndpointArgs<'postSend'>['wr'];
export interface Verb {
  name: string;
  /** Column in the table of rights. */
  column: string;
  wr: Wr;
}

export const VERBS: readonly Verb[] = [
  { name: 'SEND', column: 'send', wr: { opcode: 'SEND' } },
  { name: 'WRITE', column: 'write', wr: { opcode: 'RDMA_WRITE' } },
  { name: 'READ', column: 'read', wr: { opcode: 'RDMA_READ' } },
  { name: 'FETCH_ADD', column: 'fetchAdd', wr: { opcode: 'ATOMIC_FETCH_AND_ADD', add: '0x1' } },
];
export const [, WRITE, READ] = VERBS as [Verb, Verb, Verb, Verb];

export interface Seen {
  status: number | null;
  /** True if the client’s QP is in ERR afterward. */
  broken: boolean;
  serverEvents: string[];
  /** Syndromes of the NAKs; null: packets cannot be seen. */
  naks: number[] | null;
}

/** Sends one request. After a remote access error, waits for the event that the server’s device must raise. */
export async function tryRequest(
  bench: Bench,
  { client }: Pair,
  { wr }: Verb,
  remote: Wr['remote'],
  tapped: boolean,
): Promise<Seen> {
  await bench.events(bench.server);
  if (tapped) await bench.client.call('tap.flush', {});
  const local = [{ mr: client.mr.mr, offset: 0, length: BYTES }];
  const { status } = await attempt(client, { ...wr, local, ...(wr.opcode === 'SEND' ? {} : { remote }) });
  const serverEvents = await bench.events(bench.server, status === REM_ACCESS_ERR ? ACCESS_EVENT : undefined);
  const { state } = await client.endpoint.call('queryQp', { qp: client.qp.qp });
  const list = tapped ? (await bench.client.call('tap.flush', {})).list : null;
  const naks = list?.flatMap(({ direction, syndrome }) =>
    direction === 'received' && syndrome !== undefined && syndrome >> 5 !== 0 ? [syndrome] : [],
  );
  return { status, broken: state === 'ERR', serverEvents, naks: naks ?? null };
}
