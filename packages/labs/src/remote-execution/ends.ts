/** A client that has a function, a server that has data, and where things are in the memory of each. */
import {
  base64,
  bytesOfBase64,
  LAMBDA_TIME_MS,
  type ConnectOptions,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
} from '@verbslab/protocol';
import { closeQueues, openQueues, type Queues } from '../queues.js';
import { connectSides, remoteOf } from '../side.js';
import { DATA_SEED } from './data.js';
import { MEMORY_BYTES, type RemoteExecutionParams } from './params.js';

export type Context = LabContext<RemoteExecutionParams>;

/** 4.096 µs × 2^17: 0.54 s. An end that is not scheduled for a while must not count as lost packets. */
const PATIENT: ConnectOptions = { timeout: 17 };

/** Offsets, the same at both ends. */
export const IMAGE = 0;
export const RESULT = 64 * 1024;
export const RESULT_BYTES = 64;
export const DATA = 128 * 1024;

export interface End extends Queues {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
}

export interface Ends {
  client: End;
  server: End;
  /** Of the client: what the server trusts. */
  publicKey: string;
}

async function open(ctx: Context, name: 'client' | 'server'): Promise<End> {
  const { largest, link } = ctx.params;
  const endpoint = ctx.endpoint(name);
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', {
    pd,
    length: DATA + largest,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', ...(name === 'server' ? (['REMOTE_READ'] as const) : [])],
  });
  return { endpoint, pd, mr, ...(await openQueues(endpoint, pd, link)) };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [client, server] = [await open(ctx, 'client'), await open(ctx, 'server')];
  await connectSides(ctx, [client, server], ctx.params.link, [PATIENT, PATIENT]);
  const { mr, endpoint } = server;
  await endpoint.call('fillMemory', {
    mr: mr.mr,
    offset: DATA,
    length: ctx.params.largest,
    seed: DATA_SEED,
  });
  const { publicKey } = await client.endpoint.call('lambda.sign', { module: '', signer: 'own' });
  return { client, server, publicKey };
}

export async function closeEnds({ client, server }: Ends): Promise<void> {
  for (const { endpoint, mr, pd, ...queues } of [client, server]) {
    await closeQueues(endpoint, queues);
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}

export const placeOf = ({ mr }: Pick<End, 'mr'>, offset: number, length: number) => ({
  mr: mr.mr,
  offset,
  length,
});

/** `image` of so many bytes, in the memory of an end, with what it may do there. */
export const loadOf = (
  end: Pick<End, 'mr'>,
  imageBytes: number,
  publicKey: string,
  timeMs = LAMBDA_TIME_MS,
) => ({
  image: placeOf(end, IMAGE, imageBytes),
  trusted: [publicKey],
  memoryBytes: MEMORY_BYTES,
  timeMs,
});

/** From a part of its memory to the same part of the peer’s, with a word for its program. */
export const writeImm = (from: End, to: End, offset: number, length: number, imm: number) => ({
  opcode: 'RDMA_WRITE_WITH_IMM' as const,
  local: length === 0 ? [] : [placeOf(from, offset, length)],
  remote: remoteOf(to, offset),
  imm,
});

/** Signs a module at the client and puts its image where the client ships it from. Answers with its bytes. */
export async function placeImage({ client }: Ends, module: Uint8Array): Promise<number> {
  const signed = await client.endpoint.call('lambda.sign', { module: base64(module), signer: 'own' });
  await client.endpoint.call('writeMemory', { mr: client.mr.mr, offset: IMAGE, base64: signed.image });
  return bytesOfBase64(signed.image).length;
}
