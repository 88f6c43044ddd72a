import { closeAll } from '../endpoints/scope.js';
import { qpnText } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { NO_PACKETS, PacketWatch } from '../wire/packet-watch.js';
import { GRH_BYTES, postDatagramBuffer, sendDatagram, type Receiver } from '../endpoints/datagram.js';
import { hashOf, type Side } from '../endpoints/side.js';
import { gidOf, macOf, MULTICAST_QPN } from './address.js';
import { arrival, attach, openEnd, type Context } from './endpoints.js';

const SEEDS = { group: 31, direct: 32, second: 33, unread: 34 } as const;
/** Keeps datagrams of other runs to the same group out. */
const QKEY_BASE = 0x1000;

interface Stage {
  client: Side;
  receivers: Side[];
  outsider: Side;
  group: Receiver;
}

async function open(ctx: Context): Promise<Stage> {
  const client = await openEnd(ctx, 'client');
  const outsider = await openEnd(ctx, 'outsider');
  const receivers: Side[] = [];
  for (const { name } of ctx.endpoints('receiver')) receivers.push(await openEnd(ctx, name));
  const qkey = QKEY_BASE + client.qp.info.psn;
  for (const { endpoint, qp } of [client, outsider, ...receivers])
    await endpoint.call('activateQp', { qp: qp.qp, qkey });
  for (const receiver of receivers) await attach(ctx, receiver);
  const { ah } = await client.endpoint.call('createAh', {
    pd: client.scope.pd,
    gid: gidOf(ctx.params.group),
  });
  return { client, receivers, outsider, group: { ah, qpn: MULTICAST_QPN, qkey } };
}

/** Sends to the group. Counts the receivers with the payload, and those with a GRH that names the group. */
async function sendToGroup(ctx: Context, stage: Stage, watch: PacketWatch): Promise<number> {
  const { client, receivers, group } = stage;
  const { size } = ctx.params;
  for (const receiver of receivers) await postDatagramBuffer(receiver, ctx.params.size);
  await watch.take();
  await sendDatagram(client, group, ctx.params.size, SEEDS.group);
  const [sent, gid] = [await hashOf(client, 0, size), gidOf(ctx.params.group)];
  let [reached, named] = [0, 0];
  for (const receiver of receivers) {
    const found = await arrival(ctx, receiver);
    const same = found !== null && (await hashOf(receiver, size + GRH_BYTES, size)) === sent;
    if (same && found.wc.byteLen === size + GRH_BYTES) reached++;
    if (found?.grh.destGid === gid && found.wc.srcQp === client.qp.info.qpn) named++;
    ctx.row('arrivals', {
      endpoint: receiver.endpoint.name,
      byteLen: found?.wc.byteLen ?? null,
      destGid: found?.grh.destGid ?? null,
      sourceQp: found?.wc.srcQp ?? null,
    });
  }
  const packets = await watch.take();
  ctx.figure('reached', reached);
  const count = plural(receivers.length, 'receiver');
  ctx.check('all', reached === receivers.length, `One SEND reached ${reached} of ${count}.`);
  ctx.check(
    'grh',
    named === receivers.length,
    `At ${named} of ${count} the GRH named ${gid} as destination, and the completion named QP ${qpnText(client.qp.info.qpn)} as sender.`,
  );
  if (!watch.on) {
    for (const name of ['sent', 'answers']) ctx.figure(name, null);
    ctx.doesNotApply('one-packet', NO_PACKETS);
    return reached;
  }
  const out = packets.filter(({ direction, destQpn }) => direction === 'sent' && destQpn === MULTICAST_QPN);
  const back = packets.filter(({ direction }) => direction === 'received');
  ctx.figure('sent', out.length);
  ctx.figure('answers', back.length);
  ctx.check(
    'one-packet',
    out.length === 1 && back.length === 0,
    `The client sent ${plural(out.length, 'packet')} to QPN 0xffffff and received ${back.length}.`,
  );
  return reached;
}

/** A datagram to one endpoint alone. True: it is the first thing that arrives there. */
async function directFirst(ctx: Context, stage: Stage, to: Side): Promise<boolean> {
  const { client, group } = stage;
  const { gid, qpn } = to.qp.info;
  const { ah } = await client.endpoint.call('createAh', { pd: client.scope.pd, gid });
  await sendDatagram(client, { ah, qpn, qkey: group.qkey }, ctx.params.size, SEEDS.direct);
  const found = await arrival(ctx, to);
  await client.endpoint.call('destroy', { what: 'ah', handle: ah });
  ctx.row('arrivals', {
    endpoint: to.endpoint.name,
    byteLen: found?.wc.byteLen ?? null,
    destGid: found?.grh.destGid ?? null,
    sourceQp: found?.wc.srcQp ?? null,
  });
  return found?.grh.destGid === gid;
}

const stray = async (sides: readonly Side[]): Promise<number> => {
  let count = 0;
  for (const { endpoint, cq } of sides)
    count += (await endpoint.call('pollCq', { cq })).completions.filter(
      ({ opcode }) => opcode === 'RECV',
    ).length;
  return count;
};

/** Two RECVs at each end that should get nothing: a datagram to the group would take the first. */
async function tryOutside(ctx: Context, stage: Stage): Promise<void> {
  const { client, receivers, outsider, group } = stage;
  const [first, ...others] = receivers;
  if (!first) return;
  await first.endpoint.call('detachMulticast', { qp: first.qp.qp, gid: gidOf(ctx.params.group) });
  for (const side of [outsider, first])
    for (let i = 0; i < 2; i++) await postDatagramBuffer(side, ctx.params.size);
  for (const other of others) await postDatagramBuffer(other, ctx.params.size);
  await sendDatagram(client, group, ctx.params.size, SEEDS.second);
  let reached = 0;
  for (const other of others) if (await arrival(ctx, other)) reached++;
  const outside = await directFirst(ctx, stage, outsider);
  const detached = await directFirst(ctx, stage, first);
  const onlyDirect = outside && (await stray([outsider])) === 0;
  ctx.outcome('outsider', outside ? 'nothing' : 'copy');
  ctx.check(
    'outsider',
    onlyDirect,
    onlyDirect
      ? 'The outsider has the right Q_Key and free RECVs. It got only the datagram to its own address.'
      : 'The outsider did not get its own datagram as the first and only one.',
  );
  const apart = detached && (await stray([first])) === 0;
  ctx.check(
    'detach',
    apart && reached === others.length,
    `After ${first.endpoint.name} had detached, the next SEND reached ${reached} of ${plural(others.length, 'receiver')}${apart ? ', and not' : '; its own datagram was not the first and only one at'} ${first.endpoint.name}.`,
  );
}

/** Nothing is posted at the receivers that are still attached. */
async function tryUnread(ctx: Context, { client, receivers, group }: Stage): Promise<void> {
  const [wc] = await sendDatagram(client, group, ctx.params.size, SEEDS.unread);
  const attached = receivers.slice(1);
  const found = await stray(attached);
  ctx.check(
    'sender-blind',
    wc?.statusName === 'SUCCESS' && found === 0,
    `${plural(attached.length, 'receiver')} had no RECV and got ${plural(found, 'completion')}. The client’s SEND completed with ${wc?.statusName}.`,
  );
}

export async function runMulticast(ctx: Context): Promise<void> {
  const { group: address, receivers: count } = ctx.params;
  const stage = await open(ctx);
  const { client, receivers, outsider } = stage;
  for (const [form, value] of [
    ['IPv4 address', address],
    ['GID', gidOf(address)],
    ['MAC address of the frame (01:00:5e and 23 bits)', macOf(address)],
  ] as const)
    ctx.row('address', { form, value });
  const watch = new PacketWatch(client.endpoint);
  await watch.start(
    ctx,
    receivers.some(({ qp }) => qp.info.gid === client.qp.info.gid),
  );
  const reached = await sendToGroup(ctx, stage, watch);
  await tryOutside(ctx, stage);
  await tryUnread(ctx, stage);
  ctx.draining();
  await watch.stop();
  await client.endpoint.call('destroy', { what: 'ah', handle: stage.group.ah });
  await closeAll(...[client, outsider, ...receivers]);
  ctx.answer(
    `One SEND to ${address} reached ${reached} of ${plural(count, 'attached receiver')}. No receiver answers, so the client does not know how many there were.`,
  );
}
