// What each sample of the picture records: a few requests between a client and a server, both tapped and stamped.
import type { EndpointHandle, EndpointSendWr, Faults, LabContext, PictureSample } from '@verbslab/protocol';
import { closeAll } from '../../../packages/labs/src/endpoints/scope.js';
import {
  announce,
  connectSides,
  openSide,
  remoteOf,
  type Side,
  type SideOptions,
} from '../../../packages/labs/src/endpoints/side.js';
import { startTap } from '../../../packages/labs/src/wire/tap.js';
import { addressOfGid } from '../../../packages/labs/src/endpoints/verbs.js';

/** Names of files: of the WRITE that loses a packet there are four. */
export type SampleFile =
  | Exclude<PictureSample, 'write-lost'>
  | `write-lost-${'first' | 'middle' | 'last' | 'ack'}`;

type Context = LabContext<{ sample: string }>;
interface Ends {
  client: Side;
  server: Side;
}
interface Procedure {
  /** Options of each end beside memory of `BYTES` and queues of 16. */
  client?: Partial<SideOptions>;
  server?: Partial<SideOptions>;
  connect?: Parameters<typeof connectSides>[3];
  faults?: { client?: Faults; server?: Faults };
  run: (ends: Ends, ctx: Context) => Promise<void>;
}

const BYTES = 10_000;
const DEPTH = 16;
const WAIT_MS = 10_000;
const GRH_BYTES = 40;
const DATAGRAM_BYTES = 1000;
const QKEY = 0x1111_1111;
const SMALL = 8;
/** Requests that the queue pairs make before the one that is recorded: first calls take longer than others. */
const WARM_UPS = 64;
/** How often a sample is made. The fastest one is kept: other programs can only slow it down. */
const TIMES = 40;
/** Opcodes of RC packets, and of the Middle of a WRITE on UC. */
const OPCODE = { first: 0x06, middle: 0x07, last: 0x08, ack: 0x11, ucMiddle: 0x27 };
/** 10.24 ms: the time that an RNR NAK asks for, long enough to post a RECV meanwhile. */
const RNR_TIMER = 20;

const whole = ({ mr }: Side, length = BYTES) => [{ mr: mr.mr, offset: 0, length }];
const write = ({ client, server }: Ends, length = BYTES, offset = 0): EndpointSendWr => ({
  ...{ wrId: 1, opcode: 'RDMA_WRITE', local: whole(client, length), remote: remoteOf(server, offset) },
});

const postAndWait = ({ endpoint, qp, cq }: Side, wr: EndpointSendWr): Promise<unknown> =>
  endpoint.call('postAndWait', { qp: qp.qp, cq, wr, timeoutMs: WAIT_MS });
const waitCq = ({ endpoint, cq }: Side, count = 1): Promise<unknown> =>
  endpoint.call('waitCq', { cq, count, timeoutMs: WAIT_MS });
const postRecv = ({ endpoint, qp, mr }: Side, length = BYTES): Promise<unknown> =>
  endpoint.call('postRecv', { qp: qp.qp, wr: { wrId: 7, local: [{ mr: mr.mr, offset: 0, length }] } });
const drop = (opcode: number): Faults => ({ rules: [{ action: 'drop', opcode, times: 1 }] });

const one =
  (wr: (ends: Ends) => EndpointSendWr): Procedure['run'] =>
  async (ends) => {
    await postAndWait(ends.client, wr(ends));
  };
const losing = (end: 'client' | 'server', opcode: number): Procedure => ({
  faults: { [end]: drop(opcode) },
  run: one(write),
});

/** Reads the asynchronous events of an end until one of this name, and the state of both queue pairs. */
async function untilEvent({ client, server }: Ends, at: Side, name: string): Promise<void> {
  const names: string[] = [];
  while (!names.includes(name)) {
    const { events } = await at.endpoint.call('waitAsync', { timeoutMs: WAIT_MS });
    if (events.length === 0) throw new Error(`no ${name} came`);
    names.push(...events.map(({ event }) => event));
  }
  for (const { endpoint, qp } of [server, client]) await endpoint.call('queryQp', { qp: qp.qp });
}

async function rnrNaks(endpoint: EndpointHandle): Promise<number> {
  return (await endpoint.call('counters', { when: 'sample' })).values.rcvd_rnr_err ?? 0;
}

export const PROCEDURES: Readonly<Record<Exclude<SampleFile, 'datagram' | 'connect'>, Procedure>> = {
  write: { run: one(write) },
  'write-lost-first': losing('client', OPCODE.first),
  'write-lost-middle': losing('client', OPCODE.middle),
  'write-lost-last': losing('client', OPCODE.last),
  'write-lost-ack': losing('server', OPCODE.ack),
  'write-imm': {
    run: async (ends) => {
      await postRecv(ends.server);
      await postAndWait(ends.client, { ...write(ends), opcode: 'RDMA_WRITE_WITH_IMM', imm: 42 });
      await waitCq(ends.server);
    },
  },
  'small-write': {
    client: { qp: { maxInlineData: 64 } },
    run: one((ends) => ({ ...write(ends, SMALL), inline: true })),
  },
  'many-writes': {
    run: async ({ client, server }) => {
      const wrs = Array.from({ length: DEPTH }, (_, i) => ({
        ...{ wrId: i + 1, opcode: 'RDMA_WRITE' as const, remote: remoteOf(server, i * 512) },
        local: [{ mr: client.mr.mr, offset: i * 512, length: 512 }],
      }));
      await client.endpoint.call('postSendList', { qp: client.qp.qp, wrs });
      await waitCq(client, DEPTH);
    },
  },
  read: { run: one((ends) => ({ ...write(ends), wrId: 2, opcode: 'RDMA_READ' })) },
  atomic: {
    run: one((ends) => ({ ...write(ends, SMALL), opcode: 'ATOMIC_FETCH_AND_ADD', add: '0x1' })),
  },
  send: {
    run: async ({ client, server }) => {
      await postRecv(server);
      await postAndWait(client, { wrId: 1, opcode: 'SEND', local: whole(client) });
      await waitCq(server);
    },
  },
  'send-without-recv': {
    connect: { minRnrTimer: RNR_TIMER, rnrRetry: 7 },
    run: async ({ client, server }) => {
      const before = await rnrNaks(client.endpoint);
      const wr: EndpointSendWr = { wrId: 1, opcode: 'SEND', local: whole(client, 256) };
      await client.endpoint.call('postSend', { qp: client.qp.qp, wr });
      while ((await rnrNaks(client.endpoint)) <= before);
      await postRecv(server);
      await waitCq(client);
      await waitCq(server);
    },
  },
  'unreliable-lost': {
    client: { qp: { type: 'UC' } },
    server: { qp: { type: 'UC' } },
    faults: { client: drop(OPCODE.ucMiddle) },
    run: one(write),
  },
  'beyond-region': {
    run: async (ends) => {
      await postAndWait(ends.client, write(ends, BYTES, 32));
      await untilEvent(ends, ends.server, 'QP_ACCESS_ERR');
    },
  },
  overrun: {
    client: { depth: DEPTH / 2, qp: { maxSendWr: 2 * DEPTH } },
    run: async (ends) => {
      const { client } = ends;
      const wrs = Array.from({ length: DEPTH + 1 }, (_, i) => ({ ...write(ends, SMALL), wrId: i + 1 }));
      await client.endpoint.call('postSendList', { qp: client.qp.qp, wrs });
      await untilEvent(ends, client, 'QP_FATAL');
      await client.endpoint.call('pollCq', { cq: client.cq, max: DEPTH + 1 });
    },
  },
};

const ACCESS: SideOptions['access'] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];
const AT_CLIENT: SideOptions = { length: BYTES, access: ['LOCAL_WRITE'], link: 'auto', depth: DEPTH };
const AT_SERVER: SideOptions = { ...AT_CLIENT, access: ACCESS };

/** Requests of a pair of its own, so that the first calls of the recorded one take no longer than later ones. */
async function warmUp(ctx: Context, ends: readonly [EndpointHandle, EndpointHandle]): Promise<void> {
  const client = await openSide(ends[0], AT_CLIENT);
  const server = await openSide(ends[1], AT_SERVER);
  await connectSides(ctx, [client, server], 'auto');
  for (let i = 0; i < WARM_UPS; i++) {
    await postAndWait(client, write({ client, server }));
    await postRecv(server, 16);
    await postAndWait(client, { opcode: 'SEND', local: whole(client, 16) });
    await waitCq(server);
  }
  await closeAll(client, server);
}

async function observed(
  ctx: Context,
  endpoints: readonly EndpointHandle[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { name } of endpoints)
    if (!(await startTap(ctx, name, true, { maxPackets: 4096, mode: 'keep' })))
      throw new Error(`no packets of the ${name}`);
  for (const endpoint of endpoints) await endpoint.call('stamps.start', {});
  await work();
  for (const endpoint of endpoints) {
    await endpoint.call('stamps.stop', {});
    await endpoint.call('tap.stop', {});
  }
}

async function connected(
  ctx: Context,
  ends: readonly [EndpointHandle, EndpointHandle],
  one: Procedure,
): Promise<void> {
  const client = await openSide(ends[0], { ...AT_CLIENT, ...one.client });
  const server = await openSide(ends[1], { ...AT_SERVER, ...one.server });
  const access: SideOptions['access'] = ACCESS;
  announce(ctx, client, server);
  announce(ctx, server, client, server.mr);
  await connectSides(ctx, [client, server], 'auto', { access, ...one.connect });
  await observed(ctx, ends, async () => {
    if (one.faults?.client) await ends[0].call('faults', one.faults.client);
    if (one.faults?.server) await ends[1].call('faults', one.faults.server);
    await one.run({ client, server }, ctx);
    // The device may still acknowledge.
    for (const { endpoint } of [client, server]) await endpoint.call('tap.flush', {});
  });
  await closeAll(client, server);
}

async function datagram(ctx: Context, ends: readonly [EndpointHandle, EndpointHandle]): Promise<void> {
  const client = await openSide(ends[0], { ...AT_CLIENT, qp: { type: 'UD' } });
  const server = await openSide(ends[1], { ...AT_SERVER, qp: { type: 'UD' } });
  for (const { endpoint, qp } of [client, server])
    await endpoint.call('activateQp', { qp: qp.qp, qkey: QKEY });
  const { gid, qpn } = server.qp.info;
  const { ah } = await ends[0].call('createAh', { pd: client.scope.pd, gid });
  client.scope.keep('ah', ah);
  await observed(ctx, ends, async () => {
    await postRecv(server, DATAGRAM_BYTES + GRH_BYTES);
    const to = { ah, remoteQpn: qpn, remoteQkey: QKEY };
    await postAndWait(client, { wrId: 1, opcode: 'SEND', local: whole(client, DATAGRAM_BYTES), ...to });
    await waitCq(server);
  });
  await closeAll(client, server);
}

async function connect(
  ctx: Context,
  [client, server]: readonly [EndpointHandle, EndpointHandle],
): Promise<void> {
  const { gid } = await server.call('query', {});
  const { cm: listener, address, port } = await server.call('cm.listen', { address: addressOfGid(gid) });
  const { cm } = await client.call('cm.resolve', { address, port });
  const { pd } = await client.call('allocPd', { cm });
  const { cq } = await client.call('createCq', { depth: DEPTH, cm });
  await client.call('cm.createQp', { cm, pd, sendCq: cq, link: 'auto' });
  await observed(ctx, [client, server], async () => {
    const connecting = client.call('cm.connect', { cm });
    const { request } = await server.call('cm.request', { cm: listener, timeoutMs: WAIT_MS });
    if (!request) throw new Error('no request came');
    const peer = await server.call('allocPd', { cm: request.cm });
    const own = await server.call('createCq', { depth: DEPTH, cm: request.cm });
    await server.call('cm.createQp', { cm: request.cm, pd: peer.pd, sendCq: own.cq, link: 'auto' });
    await server.call('cm.accept', { cm: request.cm });
    await connecting;
  });
}

export async function record(ctx: Context): Promise<void> {
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const sample = ctx.params.sample as SampleFile;
  await warmUp(ctx, ends);
  if (sample === 'connect') return connect(ctx, ends);
  for (let i = 0; i < TIMES; i++)
    if (sample === 'datagram') await datagram(ctx, ends);
    else await connected(ctx, ends, PROCEDURES[sample]);
}

export const SAMPLE_FILES: readonly SampleFile[] = [
  ...(Object.keys(PROCEDURES) as (keyof typeof PROCEDURES)[]),
  'datagram',
  'connect',
];
