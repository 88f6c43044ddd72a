/** A server with the model and room for pushes, and workers with a connection each. */
import type { EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption } from '../endpoints/link.js';
import { PATIENT } from '../endpoints/patience.js';
import { connectSides } from '../endpoints/side.js';
import { chunksOf, modelBytes, pushBytes } from './layout.js';
import type { ParameterServerParams } from './params.js';

export type Context = LabContext<ParameterServerParams>;
type Region = EndpointResult<'regMr'>;
type Qp = EndpointResult<'createQp'>;

/** RECVs for the measurement of CPU time, which posts them in advance. */
export const MEASURED = 200;
export const WARM_UP = 20;

export interface Server {
  endpoint: EndpointHandle;
  pd: number;
  /** Workers may only READ it. */
  model: Region;
  /** Workers may only WRITE to it: room for one push of each. */
  pushes: Region;
  sendCq: number;
  /** Of all workers. */
  recvCq: number;
}

export interface Worker {
  /** From 0. */
  number: number;
  endpoint: EndpointHandle;
  pd: number;
  /** Its copy of the model, and behind it the push. */
  mr: Region;
  sendCq: number;
  recvCq: number;
  qp: Qp;
  /** Of the server, for this worker. */
  far: Qp;
}

export interface Ends {
  server: Server;
  workers: Worker[];
}

const depthOf = (ctx: Context): number => Math.max(chunksOf(ctx.params).length, MEASURED + WARM_UP);

async function openServer(ctx: Context): Promise<Server> {
  const { params } = ctx;
  const endpoint = ctx.endpoint('server');
  const { pd } = await endpoint.call('allocPd', {});
  const model = await endpoint.call('regMr', {
    pd,
    length: modelBytes(params),
    access: ['LOCAL_WRITE', 'REMOTE_READ'],
  });
  const pushes = await endpoint.call('regMr', {
    pd,
    length: params.workers * pushBytes(params),
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
  });
  const { cq: sendCq } = await endpoint.call('createCq', { depth: 16 });
  const { cq: recvCq } = await endpoint.call('createCq', {
    depth: params.workers * depthOf(ctx),
    events: true,
  });
  return { endpoint, pd, model, pushes, sendCq, recvCq };
}

async function join(ctx: Context, number: number, server: Server): Promise<Worker> {
  const { params } = ctx;
  const endpoint = ctx.endpoints('worker')[number]!;
  const depth = depthOf(ctx);
  const { pd } = await endpoint.call('allocPd', {});
  const length = modelBytes(params) + pushBytes(params);
  const mr = await endpoint.call('regMr', { pd, length, access: ['LOCAL_WRITE'] });
  const { cq: sendCq } = await endpoint.call('createCq', { depth });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: 16 });
  const qp = await endpoint.call('createQp', {
    ...{ pd, sendCq, recvCq, maxSendWr: depth, maxRecvWr: 1 },
    ...linkOption(endpoint, params.link),
  });
  const far = await server.endpoint.call('createQp', {
    ...{ pd: server.pd, sendCq: server.sendCq, recvCq: server.recvCq, maxSendWr: 1, maxRecvWr: depth },
    ...linkOption(server.endpoint, params.link),
  });
  const ends = [
    { endpoint, qp },
    { endpoint: server.endpoint, qp: far },
  ] as const;
  await connectSides(ctx, ends, params.link, [PATIENT, PATIENT]);
  return { number, endpoint, pd, mr, sendCq, recvCq, qp, far };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const server = await openServer(ctx);
  const workers: Worker[] = [];
  for (let number = 0; number < ctx.params.workers; number++) workers.push(await join(ctx, number, server));
  return { server, workers };
}

export async function closeEnds({ server, workers }: Ends): Promise<void> {
  for (const { endpoint, qp, far, sendCq, recvCq, mr, pd } of workers) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await server.endpoint.call('destroy', { what: 'qp', handle: far.qp });
    await endpoint.call('destroy', { what: 'cq', handle: sendCq });
    await endpoint.call('destroy', { what: 'cq', handle: recvCq });
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
  const { endpoint, sendCq, recvCq, model, pushes, pd } = server;
  await endpoint.call('destroy', { what: 'cq', handle: sendCq });
  await endpoint.call('destroy', { what: 'cq', handle: recvCq });
  for (const { mr } of [model, pushes]) await endpoint.call('destroy', { what: 'mr', handle: mr });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
}
