/** A connection with rdma_cm, from the listener to the end of its timewait. */
import {
  callFailed,
  type EndpointResult,
  type Link,
  type PacketSummary,
  type QpState,
} from '@verbslab/protocol';
import { linkOption, settleLink } from '../endpoints/link.js';
import type { PacketWatch } from '../wire/packet-watch.js';
import { memoryRecord } from '../endpoints/verbs.js';
import { moveData, type Moved } from './data.js';
import { base64OfHex, hexOfBase64, remoteOfHex } from '../cm/private-data.js';
import { eventsUntil, stateOf, traceCalls, type Context, type Traced } from './trace.js';

const WAIT_MS = 10_000;
const DEPTH = 16;

/** Listener, PD and CQ that later connections use as well. */
export interface Meeting {
  listener: EndpointResult<'cm.listen'>;
  /** Handles at the client. */
  pd: number;
  cq: number;
}

export interface CmFound {
  meeting: Meeting;
  setup: Traced;
  /** Memory that the server registered; `told` is what the client decoded from the private data. */
  registered: { addr: string; rkey: number };
  told: { addr: string; rkey: number; bytes: string };
  states: QpState[];
  serverStates: QpState[];
  moved: Moved;
  events: { client: string[]; server: string[] };
  packets: { setup: PacketSummary[]; data: PacketSummary[]; end: PacketSummary[] };
  /** Send calls on UDP sockets at the client; null: the device does not count them. */
  udpSends: { setup: number; data: number } | null;
  link: Link | null;
}

export async function connectByCm(ctx: Context, watch: PacketWatch): Promise<CmFound> {
  const { size, link: wanted } = ctx.params;
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const udpSends = async (): Promise<number | null> =>
    client.has('counters')
      ? ((await client.call('counters', { when: 'sample' })).values.udp_sends ?? null)
      : null;
  const sends = [await udpSends()];
  ctx.calls('client');
  ctx.calls('server');

  const listener = await server.call('cm.listen', {});
  const { pd: serverPd } = await server.call('allocPd', { cm: listener.cm });
  const serverMr = await server.call('regMr', {
    pd: serverPd,
    length: size,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
  });
  const { cq: serverCq } = await server.call('createCq', { depth: DEPTH, cm: listener.cm });

  const { cm } = await client.call('cm.resolve', { address: listener.address, port: listener.port });
  const { pd } = await client.call('allocPd', { cm });
  const mr = await client.call('regMr', { pd, length: 2 * size, access: ['LOCAL_WRITE'] });
  const { cq } = await client.call('createCq', { depth: DEPTH, cm });
  const { qp } = await client.call('cm.createQp', { cm, pd, sendCq: cq, ...linkOption(client, wanted) });
  const states = [await stateOf(client, qp)];

  const connecting = client.call('cm.connect', { cm });
  const { request: peer } = await server.call('cm.request', { cm: listener.cm, timeoutMs: WAIT_MS });
  if (!peer)
    throw callFailed(
      'SYSTEM',
      'Waiting for the client’s connection request',
      'ETIMEDOUT',
      'Check that UDP port 4791 is open between the two hosts.',
    );
  const made = await server.call('cm.createQp', {
    cm: peer.cm,
    pd: serverPd,
    sendCq: serverCq,
    ...linkOption(server, wanted),
  });
  const serverStates = [await stateOf(server, made.qp)];
  const record = memoryRecord(serverMr.addr, serverMr.rkey);
  await server.call('cm.accept', { cm: peer.cm, privateData: base64OfHex(record) });
  const answer = await connecting;
  const bytes = hexOfBase64(answer.privateData);
  const told = { ...remoteOfHex(bytes), bytes };
  states.push(await stateOf(client, qp));
  serverStates.push(await stateOf(server, made.qp));
  const setup = traceCalls(ctx, 'rdma_cm', 'client', 'setup, once');
  traceCalls(ctx, 'rdma_cm', 'server', 'setup, once');
  ctx.row('trace', {
    way: 'rdma_cm',
    endpoint: 'client',
    tag: 'ready',
    call: `QP in ${states.at(-1)}; private data ${told.bytes}`,
    event: 'ESTABLISHED',
    time: null,
  });
  const ends = [
    { endpoint: client, qp: { qp } },
    { endpoint: server, qp: made },
  ];
  const link = await settleLink(ctx, wanted, ends);
  sends.push(await udpSends());
  const setupPackets = await watch.take();

  const moved = await moveData(ctx, 'rdma_cm', {
    client,
    server,
    qp,
    cq,
    mr: mr.mr,
    serverMr: serverMr.mr,
    remote: { addr: told.addr, rkey: told.rkey },
  });
  sends.push(await udpSends());
  const dataPackets = await watch.take();

  ctx.calls('client');
  ctx.calls('server');
  await client.call('cm.disconnect', { cm });
  await server.call('cm.disconnected', { cm: peer.cm, timeoutMs: WAIT_MS });
  await server.call('cm.disconnect', { cm: peer.cm });
  await client.call('cm.disconnected', { cm, timeoutMs: WAIT_MS });
  states.push(await stateOf(client, qp));
  serverStates.push(await stateOf(server, made.qp));
  traceCalls(ctx, 'rdma_cm', 'client', 'end');
  traceCalls(ctx, 'rdma_cm', 'server', 'end');
  const events = {
    client: await eventsUntil(client, 'TIMEWAIT_EXIT'),
    server: await eventsUntil(server, 'TIMEWAIT_EXIT'),
  };
  const end = await watch.take();
  await client.call('destroy', { what: 'qp', handle: qp });
  await client.call('destroy', { what: 'cm', handle: cm });
  await server.call('destroy', { what: 'qp', handle: made.qp });
  await server.call('destroy', { what: 'cm', handle: peer.cm });

  const [a, b, c] = sends;
  return {
    meeting: { listener, pd, cq },
    setup,
    registered: { addr: serverMr.addr, rkey: serverMr.rkey },
    told,
    states,
    serverStates,
    moved,
    events,
    packets: { setup: setupPackets, data: dataPackets, end },
    udpSends: a == null || b == null || c == null ? null : { setup: b - a, data: c - b },
    link,
  };
}
