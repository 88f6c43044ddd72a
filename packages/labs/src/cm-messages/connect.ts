/** Connections by rdma_cm and as many by hand, with a capture of those by rdma_cm. */
import type { CmMade, EndpointResult, HandMade, LabContext, PacketSummary } from '@verbslab/protocol';
import { openCmClient, openCmServer, writeTo, type CmClient, type CmServer } from '../cm/endpoints.js';
import { base64OfHex, hexOfText } from '../cm/private-data.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { inPhase } from '../endpoints/phase.js';
import { memoryRecord, addressOfGid } from '../endpoints/verbs.js';
import type { CmMessagesParams } from './params.js';

export type Context = LabContext<CmMessagesParams>;

/** Private data of each request: twelve characters. */
export const FIND_ME = 'find me here';
const TIMEOUT_MS = 10_000;
const SEED = 16;

export interface Found {
  server: CmServer;
  client: CmClient;
  cm: CmMade[];
  served: EndpointResult<'cm.served'>;
  hand: HandMade[];
  handServed: EndpointResult<'hand.served'>;
  /** Packets of the connections by rdma_cm. */
  packets: PacketSummary[];
  watch: PacketWatch;
  /** Address and rkey that the server registered, as its private data carries them: hex. */
  record: string;
  /** The bytes of both regions are the same after all WRITEs of a way. */
  arrived: { cm: boolean; hand: boolean };
}

async function sameBytes(
  { server, client }: Pick<Found, 'server' | 'client'>,
  length: number,
): Promise<boolean> {
  const [a, b] = await Promise.all(
    [server, client].map(
      async ({ endpoint, mr }) =>
        (await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length })).sha256,
    ),
  );
  return a === b;
}

export async function connectBothWays(ctx: Context): Promise<Found> {
  const { connections: count, size } = ctx.params;
  const [at, from] = [ctx.endpoint('server'), ctx.endpoint('client')];
  const nets = { server: await at.call('query', {}), client: await from.call('query', {}) };
  const server = await openCmServer(at, size);
  const client = await openCmClient(from, server, size);
  const { address, port } = server.listener;
  const record = memoryRecord(server.mr.addr, server.mr.rkey);
  const fill = (seed: number) => from.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed });
  const shared = { ...client.queues, request: writeTo(server, client), timeoutMs: TIMEOUT_MS };
  const byCm = {
    ...shared,
    address,
    port,
    privateData: base64OfHex(hexOfText(FIND_ME)),
  };

  await at.call('cm.serve', { cm: server.listener.cm, ...server.queues, privateData: base64OfHex(record) });
  const host = addressOfGid(nets.server.gid);
  const byHand = { ...shared, host, port: (await at.call('hand.serve', { host, ...server.queues })).port };
  // Unmeasured: the first use of a call takes longer than the others.
  await from.call('cm.connectMany', { ...byCm, count: 1 });
  await from.call('hand.connectMany', { ...byHand, count: 1 });

  const watch = new PacketWatch(from);
  await watch.start(ctx, nets.client.gid === nets.server.gid, true);
  await fill(SEED);
  const cm = await inPhase(ctx, 'cm', 'Connections by rdma_cm', () =>
    from.call('cm.connectMany', { ...byCm, count }),
  );
  const arrivedByCm = await sameBytes({ server, client }, size);
  const packets = await watch.take();
  await fill(SEED + 1);
  const hand = await inPhase(ctx, 'hand', 'Connections by hand over TCP', () =>
    from.call('hand.connectMany', { ...byHand, count }),
  );
  const arrivedByHand = await sameBytes({ server, client }, size);
  // Empties the tap of packets of both ways: the report counts what was captured until now.
  await watch.take();
  const served = await at.call('cm.served', { cm: server.listener.cm });
  const handServed = await at.call('hand.served', {});
  return {
    server,
    client,
    cm: cm.connections,
    served,
    hand: hand.connections,
    handServed: { ...handServed, connections: handServed.connections.slice(1) },
    packets,
    watch,
    record,
    arrived: { cm: arrivedByCm, hand: arrivedByHand },
  };
}
