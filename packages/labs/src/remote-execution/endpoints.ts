/** A client that has a function, and a server that has data. */
import { LAMBDA_TIME_MS, type LabContext } from '@verbslab/protocol';
import { DATA, loadOf, openEnd, type End } from '../lambda/endpoints.js';
import { PATIENT } from '../endpoints/timeouts.js';
import { connectSides } from '../endpoints/side.js';
import { MEMORY_BYTES, type RemoteExecutionParams } from './params.js';

export type Context = LabContext<RemoteExecutionParams>;

/** Seed of the server’s data. */
export const DATA_SEED = 5;

export interface Ends {
  client: End;
  server: End;
  /** The client’s key, which the server trusts. */
  publicKey: string;
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const { largest: data, link } = ctx.params;
  const client = await openEnd(ctx.endpoint('client'), {
    data,
    link,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
  });
  const server = await openEnd(ctx.endpoint('server'), {
    data,
    link,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
  });
  await connectSides(ctx, [client, server], link, PATIENT);
  const { mr, endpoint } = server;
  await endpoint.call('fillMemory', { mr: mr.mr, offset: DATA, length: data, seed: DATA_SEED });
  const { publicKey } = await client.endpoint.call('lambda.sign', { module: '', signer: 'own' });
  return { client, server, publicKey };
}

/** The image in the memory of one of them, with the limits of this lab. */
export const loadAt = (
  end: Pick<End, 'mr'>,
  imageBytes: number,
  { publicKey }: Pick<Ends, 'publicKey'>,
  timeMs = LAMBDA_TIME_MS,
) => loadOf(end, imageBytes, { publicKey, memoryBytes: MEMORY_BYTES, timeMs });
