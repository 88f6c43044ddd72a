/** A server with the model and room for pushes, and workers with a connection each. */
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { PATIENT } from '../endpoints/timeouts.js';
import { openOwner, Scope, type Owner, type Qp, type Region } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';
import { chunksOf, modelBytes, pushBytes } from './layout.js';
import type { ParameterServerParams } from './params.js';

export type Context = LabContext<ParameterServerParams>;

/** RECVs for the measurement of CPU time, which posts them in advance. */
export const MEASURED = 200;
export const WARM_UP = 20;

export interface Server {
  scope: Scope;
  endpoint: EndpointHandle;
  /** Workers may only READ it. */
  model: Region;
  /** Workers may only WRITE to it: room for one push of each. */
  pushes: Region;
  sendCq: number;
  /** RECVs of all workers complete there. */
  recvCq: number;
}

/** A worker. The region is a copy of the model, and behind it the push. */
export interface Worker extends Owner {
  /** Worker number from 0. */
  number: number;
  sendCq: number;
  recvCq: number;
  qp: Qp;
  /** QP of the server for this worker. */
  far: Qp;
}

export interface Ends {
  server: Server;
  workers: Worker[];
}

const depthOf = (ctx: Context): number => Math.max(chunksOf(ctx.params).length, MEASURED + WARM_UP);

async function openServer(ctx: Context): Promise<Server> {
  const { params } = ctx;
  const scope = await Scope.open(ctx.endpoint('server'));
  const model = await scope.region(modelBytes(params), ['LOCAL_WRITE', 'REMOTE_READ']);
  const pushes = await scope.region(params.workers * pushBytes(params), ['LOCAL_WRITE', 'REMOTE_WRITE']);
  const { cq: sendCq } = await scope.cq(16);
  const { cq: recvCq } = await scope.cq(params.workers * depthOf(ctx), true);
  return { scope, endpoint: scope.endpoint, model, pushes, sendCq, recvCq };
}

async function join(ctx: Context, number: number, server: Server): Promise<Worker> {
  const { params } = ctx;
  const endpoint = ctx.endpoints('worker')[number]!;
  const depth = depthOf(ctx);
  const owner = await openOwner(endpoint, modelBytes(params) + pushBytes(params), ['LOCAL_WRITE']);
  const { cq: sendCq } = await owner.scope.cq(depth);
  const { cq: recvCq } = await owner.scope.cq(16);
  const qp = await owner.scope.qp(params.link, { sendCq, recvCq, maxSendWr: depth, maxRecvWr: 1 });
  const far = await server.scope.qp(params.link, {
    ...{ sendCq: server.sendCq, recvCq: server.recvCq, maxSendWr: 1, maxRecvWr: depth },
  });
  const ends = [
    { endpoint, qp },
    { endpoint: server.endpoint, qp: far },
  ] as const;
  await connectSides(ctx, ends, params.link, PATIENT);
  return { ...owner, number, sendCq, recvCq, qp, far };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const server = await openServer(ctx);
  const workers: Worker[] = [];
  for (let number = 0; number < ctx.params.workers; number++) workers.push(await join(ctx, number, server));
  return { server, workers };
}
