/** A connection per mode, on which each end has the rights that the mode needs and no others. */
import { closeAll } from '../endpoints/scope.js';
import { base64, type Access } from '@verbslab/protocol';
import { dataWords } from '../lambda/data.js';
import {
  DATA,
  IMAGE,
  loadOf,
  openEnd,
  placeImage,
  RESULT,
  RESULT_BYTES,
  type End,
} from '../lambda/endpoints.js';
import { PATIENT } from '../endpoints/timeouts.js';
import { connectSides, hashOf } from '../endpoints/side.js';
import { FUNCTION, recvOf, type Context, type Mode, type Wire } from './modes.js';

const MEMORY_BYTES = 1024 * 1024;
const SEEDS = { client: 3, server: 4 } as const;

/** Ships the function, once. The image is placed directly, since only some modes have the right to send it by RDMA. */
async function loadFunction({ client, server }: Pick<Wire, 'client' | 'server'>): Promise<number> {
  const { image, imageBytes, publicKey } = await placeImage(client, FUNCTION.module);
  const { endpoint, mr } = server;
  await endpoint.call('writeMemory', { mr: mr.mr, offset: IMAGE, base64: image });
  const load = loadOf(server, imageBytes, { publicKey, memoryBytes: MEMORY_BYTES });
  return (await endpoint.call('lambda.load', load)).lambda;
}

/** @param depth entries of each queue */
export async function openWire(ctx: Context, mode: Mode, depth: number): Promise<Wire> {
  const { payload: data, link } = ctx.params;
  const open = (name: 'client' | 'server'): Promise<End> =>
    openEnd(ctx.endpoint(name), { data, link, depth, access: [...mode.rights[name]] as Access[] });
  const [client, server] = [await open('client'), await open('server')];
  // A QP has rights of its own. Its peer needs both those and the region’s.
  const options = (name: 'client' | 'server') => ({ ...PATIENT, access: [...mode.rights[name]] as Access[] });
  await connectSides(ctx, [client, server], link, [options('client'), options('server')]);
  for (const [name, { endpoint, mr }] of Object.entries({ client, server }))
    await endpoint.call('fillMemory', {
      mr: mr.mr,
      offset: DATA,
      length: data,
      seed: SEEDS[name as keyof typeof SEEDS],
    });
  const ends = { client, server };
  return { ...ends, lambda: mode.id === 'run' ? await loadFunction(ends) : 0 };
}

export async function closeWire({ client, server, lambda }: Wire): Promise<void> {
  if (lambda > 0) await server.endpoint.call('lambda.unload', { lambda });
  await closeAll(client, server);
}

export async function postRecvs(mode: Mode, wire: Wire, payload: number, count: number): Promise<void> {
  const { endpoint, qp } = wire.server;
  await endpoint.call('postRecv', { qp: qp.qp, wr: recvOf(mode, wire, payload), count });
}

/** True if the payload arrived, and in remote execution the result. */
export async function isRight(mode: Mode, { client, server }: Wire, payload: number): Promise<boolean> {
  if ((await hashOf(client, DATA, payload)) !== (await hashOf(server, DATA, payload))) return false;
  if (mode.id !== 'run') return true;
  const { endpoint, mr } = client;
  const found = await endpoint.call('readMemory', { mr: mr.mr, offset: RESULT, length: RESULT_BYTES });
  const answer = FUNCTION.answer(dataWords(payload, SEEDS.client));
  const expected = new Uint8Array(RESULT_BYTES);
  expected.set(answer);
  return found.base64 === base64(expected);
}
