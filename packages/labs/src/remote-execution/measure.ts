/** Times each way over data sizes. */
import { base64, median, type EndpointResult } from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { dataWords } from '../lambda/data.js';
import { IMAGE, placeImage, RESULT, RESULT_BYTES } from '../lambda/endpoints.js';
import type { ShippedFunction } from '../lambda/functions.js';
import { sweep } from '../base/sweep.js';
import { processCpu } from '../load/process-cpu.js';
import { DATA_SEED, loadAt, type Context, type Ends } from './endpoints.js';
import { SMALLEST } from './params.js';
import { movesOf, WAYS, type Job, type WayId } from './ways.js';

const FACTOR = 8;
const WAIT_MS = 20_000;
const WARM_UP = 1;
/** Per way, before the first measurement. */
const FIRST_CALLS = 20;

export interface Measured {
  us: number;
  /** CPU time of each process per call, µs; the device’s part is in it. */
  cpu: Record<'client' | 'server', number>;
  right: boolean;
}

export interface Setting {
  way: (typeof WAYS)[number];
  size: number;
  found: Measured[];
}

export function sizesUpTo(largest: number): number[] {
  const sizes: number[] = [];
  for (let size = SMALLEST; size < largest; size *= FACTOR) sizes.push(size);
  return [...sizes, largest];
}

/** The function at both ends, loaded; the client’s own is not shipped. */
export async function openJob(ends: Ends, one: ShippedFunction): Promise<Job> {
  const { client, server } = ends;
  const { image, imageBytes } = await placeImage(client, one.module);
  await server.endpoint.call('writeMemory', { mr: server.mr.mr, offset: IMAGE, base64: image });
  const load = async (end: typeof client): Promise<number> =>
    (await end.endpoint.call('lambda.load', loadAt(end, imageBytes, ends))).lambda;
  return {
    ends,
    one,
    first: new Map(),
    imageBytes,
    loaded: { client: await load(client), server: await load(server) },
  };
}

export async function closeJob({ ends, loaded }: Job): Promise<void> {
  for (const name of ['client', 'server'] as const)
    await ends[name].endpoint.call('lambda.unload', { lambda: loaded[name] });
}

const cpuOf = async ({ endpoint }: Ends['client']): Promise<number> => {
  const { appNs, nicNs } = await processCpu(endpoint);
  return (appNs + (nicNs ?? 0)) / 1000;
};

async function perform(job: Job, way: WayId, size: number, rounds: number): Promise<number[]> {
  const { client, server } = job.ends;
  const moves = movesOf(way, job, size);
  const one = ({ endpoint, qp, sendCq, recvCq }: typeof client, name: 'client' | 'server') =>
    endpoint.call('performRounds', {
      qp: qp.qp,
      sendCq,
      recvCq,
      moves: moves[name],
      rounds,
      first: 0,
      wait: 'event',
      timeoutMs: WAIT_MS,
    });
  const ends: Promise<EndpointResult<'performRounds'>>[] = [one(client, 'client')];
  if (moves.server.length > 0) ends.push(one(server, 'server'));
  const [found] = await Promise.all(ends);
  return found!.timesNs;
}

async function measure(ctx: Context, job: Job, way: WayId, size: number): Promise<Measured> {
  const { client, server } = job.ends;
  const result = { mr: client.mr.mr, offset: RESULT };
  await client.endpoint.call('writeMemory', { ...result, base64: base64(new Uint8Array(RESULT_BYTES)) });
  await perform(job, way, size, WARM_UP);
  const before = [await cpuOf(client), await cpuOf(server)] as const;
  const times = await perform(job, way, size, ctx.params.rounds);
  const after = [await cpuOf(client), await cpuOf(server)] as const;
  const answer = await client.endpoint.call('readMemory', { ...result, length: job.one.outputBytes });
  return {
    us: median(times) / 1000,
    cpu: {
      client: (after[0] - before[0]) / times.length,
      server: (after[1] - before[1]) / times.length,
    },
    right: answer.base64 === expectedOf(job, size, answer.base64),
  };
}

/** The expected answer. For a function that only the module has: its earlier answer. */
function expectedOf({ one, first }: Job, size: number, found: string): string {
  const known = first.get(size) ?? (one.answer ? base64(one.answer(dataWords(size, DATA_SEED))) : found);
  first.set(size, known);
  return known;
}

export async function measureAll(ctx: Context, job: Job): Promise<Setting[]> {
  const { server } = job.ends;
  const settings = sizesUpTo(ctx.params.largest).flatMap((size) => WAYS.map((way) => ({ way, size })));
  // Each round of the server posts the next one.
  await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
  // Engines compile what runs often, and the first calls wait for that.
  for (const { id } of WAYS) await perform(job, id, SMALLEST, FIRST_CALLS);
  const found = await sweep(
    ctx,
    settings,
    ctx.params.repeat,
    ({ way, size }) => `${way.title}, ${formatBytes(size)}`,
    ({ way, size }) => measure(ctx, job, way.id, size),
  );
  return settings.map((setting, i) => ({ ...setting, found: found[i]! }));
}
