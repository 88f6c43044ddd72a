import type { Access, EndpointHandle, EndpointResult, LabContext, PacketSummary } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { checkRead, checkWrite } from '../wire/messages.js';
import { linkOption, settleLink, type LinkParam } from '../endpoints/link.js';
import { NO_PACKETS, PacketWatch } from '../wire/packet-watch.js';
import { icrcRight } from '../wire/tap.js';
import { completions, memoryRecord } from '../endpoints/verbs.js';
import type { MinimalFlowParams } from './params.js';
import { serverDid, whoCompletes } from './questions.js';
import type { MinimalFlowStep } from './steps.js';

type Context = LabContext<MinimalFlowParams>;

const WRITE_ID = 1;
const READ_ID = 2;
const SEED = 20_261_120;
/** Entries of the queues: 16 are far more than one WRITE and one READ take. */
const DEPTH = 16;
/** READs under way at once, as initiator and as responder. */
const RD_ATOMIC = 1;

/** A side of the connection, as far as it is built. */
interface Side {
  endpoint: EndpointHandle;
  net: EndpointResult<'query'>;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  qp: EndpointResult<'createQp'>;
}

export async function runMinimalFlow(ctx: Context): Promise<void> {
  const { size, link } = ctx.params;
  const ends = { client: ctx.endpoint('client'), server: ctx.endpoint('server') };
  const watch = new PacketWatch(ends.client);
  const stamps = ends.client.has('stamps');
  const step = <T>(id: MinimalFlowStep, body: () => Promise<T>): Promise<T> => ctx.step(id, body);

  const nets = await step('device', async () => {
    const client = await ends.client.call('query', {});
    const server = await ends.server.call('query', {});
    await watch.start(ctx, client.gid === server.gid);
    if (stamps) await ends.client.call('stamps.start', {});
    return { client, server };
  });
  const mtu = Math.min(nets.client.mtu, nets.server.mtu) as typeof nets.client.mtu;

  const memory = await step('memory', async () => {
    const client = await register(ends.client, 2 * size, ['LOCAL_WRITE']);
    const server = await register(ends.server, size, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']);
    await ends.client.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: SEED });
    return { client, server };
  });

  const queues = await step('queues', async () => ({
    client: await createQueues(ends.client, memory.client.pd, link),
    server: await createQueues(ends.server, memory.server.pd, link),
  }));

  const client: Side = { endpoint: ends.client, net: nets.client, ...memory.client, ...queues.client };
  const server: Side = { endpoint: ends.server, net: nets.server, ...memory.server, ...queues.server };
  const both = [
    { side: server, peer: client, access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'] as Access[] },
    { side: client, peer: server, access: ['LOCAL_WRITE'] as Access[] },
  ];

  await step('exchange', () => {
    exchange(ctx, client, server, false);
    exchange(ctx, server, client, true);
    return Promise.resolve();
  });

  await step('init', async () => {
    for (const { side, access } of both)
      await side.endpoint.call('modifyQp', {
        qp: side.qp.qp,
        attrs: { state: 'INIT', pkeyIndex: 0, port: side.net.port, access },
      });
  });

  await step('rtr', async () => {
    for (const { side, peer } of both)
      await side.endpoint.call('modifyQp', {
        qp: side.qp.qp,
        attrs: {
          state: 'RTR',
          remoteGid: peer.net.gid,
          gidIndex: side.net.gidIndex,
          port: side.net.port,
          pathMtu: mtu,
          destQpn: peer.qp.info.qpn,
          rqPsn: peer.qp.info.psn,
          maxDestRdAtomic: RD_ATOMIC,
          minRnrTimer: 12,
        },
      });
  });

  await step('rts', async () => {
    for (const { side } of both)
      await side.endpoint.call('modifyQp', {
        qp: side.qp.qp,
        attrs: {
          state: 'RTS',
          sqPsn: side.qp.info.psn,
          timeout: 14,
          retryCount: 7,
          rnrRetry: 7,
          maxRdAtomic: RD_ATOMIC,
        },
      });
    await settleLink(ctx, link, [client, server]);
  });
  const early = await watch.take();

  const remote = { addr: server.mr.addr, rkey: server.mr.rkey };
  const written = await step('write', async () => {
    // Calls from now on are those during the WRITE.
    ctx.calls('server');
    await client.endpoint.call('postSend', {
      qp: client.qp.qp,
      wr: {
        wrId: WRITE_ID,
        opcode: 'RDMA_WRITE',
        local: [{ mr: client.mr.mr, offset: 0, length: size }],
        remote,
        signaled: true,
      },
    });
    const wcs = await completions(client.endpoint, client.cq, 1, 'RDMA WRITE');
    const calls = ctx.calls('server');
    if (stamps) await client.endpoint.call('stamps.flush', {});
    return { wcs, calls, packets: await watch.take() };
  });

  const looked = await step('look', async () => {
    const hash = await hashOf(server, 0, size);
    const { completions: wcs } = await server.endpoint.call('pollCq', { cq: server.cq });
    return { hash, wcs };
  });

  const read = await step('read', async () => {
    await client.endpoint.call('postSend', {
      qp: client.qp.qp,
      wr: {
        wrId: READ_ID,
        opcode: 'RDMA_READ',
        local: [{ mr: client.mr.mr, offset: size, length: size }],
        remote,
        signaled: true,
      },
    });
    const wcs = await completions(client.endpoint, client.cq, 1, 'RDMA READ');
    if (stamps) await client.endpoint.call('stamps.flush', {});
    return { wcs, packets: await watch.take() };
  });

  const did = serverDid(written.calls);
  if (did !== null) ctx.outcome('server', did);
  const who = whoCompletes(written.wcs.length, looked.wcs.length);
  if (who !== null) ctx.outcome('completion', who);
  ctx.answer(
    `The WRITE put ${plural(size, 'byte')} into the server’s memory. Meanwhile the server’s program made ${plural(written.calls.length, 'call')}, and it found ${plural(looked.wcs.length, 'completion')} afterward.`,
  );
  await step('verify', async () => {
    const sent = await hashOf(client, 0, size);
    const back = await hashOf(client, size, size);
    ctx.check(
      'bytes-written',
      looked.hash === sent,
      looked.hash === sent
        ? `All ${plural(size, 'byte')} match.`
        : 'The server’s memory does not hold what the client wrote.',
    );
    ctx.check(
      'bytes-read',
      back === sent,
      back === sent ? `All ${plural(size, 'byte')} match.` : 'The READ returned different bytes.',
    );
    const left = await client.endpoint.call('pollCq', { cq: client.cq });
    const ids = [...written.wcs, ...read.wcs, ...left.completions].map(({ wrId }) => wrId);
    ctx.check(
      'one-completion-each',
      ids.length === 2 && ids[0] === WRITE_ID && ids[1] === READ_ID,
      `2 signaled work requests produced ${plural(ids.length, 'completion')} at the client (wr_id ${ids.join(', ')}).`,
    );
    const atTarget = await server.endpoint.call('pollCq', { cq: server.cq });
    const unexpected = looked.wcs.length + atTarget.completions.length;
    ctx.check(
      'none-at-target',
      unexpected === 0,
      unexpected === 0
        ? 'The server’s completion queue stayed empty through WRITE and READ.'
        : `The server has ${plural(unexpected, 'completion')}, but should have none.`,
    );
    const states = await Promise.all(
      [client, server].map(async ({ endpoint, qp }) => (await endpoint.call('queryQp', { qp: qp.qp })).state),
    );
    ctx.check(
      'still-connected',
      states.every((state) => state === 'RTS'),
      states.every((state) => state === 'RTS')
        ? 'Both QPs were in RTS after the READ.'
        : `The QPs are in ${states.join(' and ')}.`,
    );
    if (watch.on) checkPackets(ctx, watch, early, written.packets, read.packets, mtu);
    else for (const id of PACKET_CHECKS) ctx.doesNotApply(id, NO_PACKETS);
  });

  await step('teardown', async () => {
    for (const { endpoint, qp, cq, mr, pd } of [client, server]) {
      await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
      await endpoint.call('destroy', { what: 'cq', handle: cq });
      await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
      await endpoint.call('destroy', { what: 'pd', handle: pd });
    }
  });
  ctx.draining();
  await watch.stop();
  if (stamps) await ends.client.call('stamps.stop', {});
}

async function register(
  endpoint: EndpointHandle,
  length: number,
  access: Access[],
): Promise<Pick<Side, 'pd' | 'mr'>> {
  const { pd } = await endpoint.call('allocPd', {});
  return { pd, mr: await endpoint.call('regMr', { pd, length, access }) };
}

async function createQueues(
  endpoint: EndpointHandle,
  pd: number,
  link: LinkParam,
): Promise<Pick<Side, 'cq' | 'qp'>> {
  const { cq } = await endpoint.call('createCq', { depth: DEPTH });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq: cq,
    maxSendWr: DEPTH,
    maxRecvWr: DEPTH,
    ...linkOption(endpoint, link),
  });
  return { cq, qp };
}

function exchange(ctx: Context, from: Side, to: Side, withMemory: boolean): void {
  const { qpn, psn } = from.qp.info;
  const { addr, rkey, length } = from.mr;
  ctx.emit({
    kind: 'exchange',
    from: from.endpoint.name,
    to: to.endpoint.name,
    values: {
      qpn,
      psn,
      gid: from.net.gid,
      mtu: from.net.mtu,
      ...(withMemory ? { addr, rkey: `0x${rkey.toString(16)}`, length } : {}),
    },
    ...(withMemory ? { record: memoryRecord(addr, rkey) } : {}),
  });
}

async function hashOf({ endpoint, mr }: Side, offset: number, length: number): Promise<string> {
  return (await endpoint.call('hashMemory', { mr: mr.mr, offset, length })).sha256;
}

const PACKET_CHECKS = ['quiet-setup', 'write-packets', 'read-packets', 'icrc'];

function checkPackets(
  ctx: Context,
  watch: PacketWatch,
  early: readonly PacketSummary[],
  written: readonly PacketSummary[],
  read: readonly PacketSummary[],
  mtu: number,
): void {
  const { size } = ctx.params;
  ctx.check(
    'quiet-setup',
    early.length === 0,
    early.length === 0
      ? 'No packet was sent before the first work request.'
      : `${plural(early.length, 'packet')} sent before the first work request.`,
  );
  const write = checkWrite(written, size, mtu);
  ctx.check('write-packets', write.ok, write.detail);
  const reading = checkRead(read, size, mtu);
  ctx.check('read-packets', reading.ok, reading.detail);
  if (!watch.report) return ctx.doesNotApply('icrc', NO_PACKETS);
  const icrc = icrcRight(watch.report);
  ctx.check('icrc', icrc.ok, icrc.detail);
}
