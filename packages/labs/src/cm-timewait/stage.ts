/** Two ends, connections between them that the lab makes call by call, and the events of both. */
import type { CmShown, EndpointHandle, LabContext, PacketSummary } from '@verbslab/protocol';
import { openCmClient, openCmServer, type CmClient, type CmServer } from '../cm/endpoints.js';
import { PacketWatch } from '../wire/packet-watch.js';
import type { CmTimewaitParams } from './params.js';

export type Context = LabContext<CmTimewaitParams>;
export type Side = 'client' | 'server';
export const SIDES: readonly Side[] = ['client', 'server'];
export const WAIT_MS = 15_000;
const SIZE = 64;
/** Timeout of one read of events, ms. */
const LOOK_MS = 100;
const NS_PER_MS = 1e6;

export interface Connection {
  /** Handles of the ids and QPs. */
  ids: Record<Side, number>;
  qps: Record<Side, number>;
  qpns: Record<Side, number>;
}

export interface Stage {
  ctx: Context;
  server: CmServer;
  client: CmClient;
  watch: PacketWatch;
  events: Record<Side, CmShown[]>;
  /** Captured at the client so far. */
  packets: PacketSummary[];
}

export async function openStage(ctx: Context): Promise<Stage> {
  const [at, from] = [ctx.endpoint('server'), ctx.endpoint('client')];
  const nets = { server: await at.call('query', {}), client: await from.call('query', {}) };
  const server = await openCmServer(at, SIZE);
  const client = await openCmClient(from, server, SIZE);
  const watch = new PacketWatch(from);
  await watch.start(ctx, nets.client.gid === nets.server.gid, true);
  return { ctx, server, client, watch, events: { client: [], server: [] }, packets: [] };
}

export const endpointOf = (stage: Stage, side: Side): EndpointHandle => stage[side].endpoint;

/** Throws AppError if the connection cannot be made. */
export async function connect(stage: Stage): Promise<Connection> {
  const { server, client } = stage;
  const { address, port, cm: listener } = server.listener;
  const { cm } = await client.endpoint.call('cm.resolve', { address, port });
  const own = await client.endpoint.call('cm.createQp', {
    cm,
    pd: client.queues.pd,
    sendCq: client.queues.cq,
  });
  const connecting = client.endpoint.call('cm.connect', { cm });
  // The request may not come; then its answer says why.
  connecting.catch(() => undefined);
  const { request } = await server.endpoint.call('cm.request', { cm: listener, timeoutMs: WAIT_MS });
  const id = request?.cm ?? 0;
  const peer = await server.endpoint.call('cm.createQp', {
    cm: id,
    pd: server.queues.pd,
    sendCq: server.queues.cq,
  });
  await server.endpoint.call('cm.accept', { cm: id });
  await connecting;
  return {
    ids: { client: cm, server: id },
    qps: { client: own.qp, server: peer.qp },
    qpns: { client: own.qpn, server: peer.qpn },
  };
}

export async function destroy(stage: Stage, { ids, qps }: Connection): Promise<void> {
  for (const side of SIDES) {
    await endpointOf(stage, side).call('destroy', { what: 'qp', handle: qps[side] });
    await endpointOf(stage, side).call('destroy', { what: 'cm', handle: ids[side] });
  }
}

export const eventOf = (
  { events }: Stage,
  side: Side,
  { ids }: Connection,
  type: string,
): CmShown | undefined => events[side].find((one) => one.cm === ids[side] && one.type === type);

/** Reads the events of an endpoint until the one of this type is there; undefined: it did not come in time. */
export async function untilEvent(
  stage: Stage,
  side: Side,
  connection: Connection,
  type: string,
  timeoutMs = WAIT_MS,
): Promise<CmShown | undefined> {
  const latest = stage.ctx.now() + timeoutMs * NS_PER_MS;
  for (;;) {
    const found = eventOf(stage, side, connection, type);
    if (found || stage.ctx.now() >= latest) return found;
    const { events } = await endpointOf(stage, side).call('cm.events', {
      timeoutMs: Math.min(LOOK_MS, timeoutMs),
    });
    stage.events[side].push(...events);
  }
}

/** All packets at the client up to now. */
export async function captured(stage: Stage): Promise<readonly PacketSummary[]> {
  stage.packets.push(...(await stage.watch.take()));
  return stage.packets;
}
