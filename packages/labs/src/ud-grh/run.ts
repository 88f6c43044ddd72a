import { closeAll } from '../endpoints/scope.js';
import { type EndpointResult, type LabContext, qpnText, type Wc } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { plural } from '../base/format.js';
import { GRH_BYTES, postDatagramBuffer, sendDatagram } from '../endpoints/datagram.js';
import { hashOf, type Side } from '../endpoints/side.js';
import { addressOf, bufferAt, openUd, QKEY, WRONG_QKEY } from './endpoints.js';
import type { UdGrhParams } from './params.js';

type Context = LabContext<UdGrhParams>;
type Grh = EndpointResult<'readGrh'>;

const WAIT_MS = 5000;
/** Time that the run watches for datagrams that should never come, ms. */
const NEVER_MS = 300;
const SEEDS = { refused: 11, first: 12, reply: 13 } as const;

interface Path {
  from: Side;
  to: Side;
  /** Address handle of `to` at `from`, and the QPN behind it. */
  ah: number;
  qpn: number;
}

const send = (ctx: Context, { from, ah, qpn }: Path, seed: number, qkey: number): Promise<Wc[]> =>
  sendDatagram(from, { ah, qpn, qkey }, ctx.params.size, seed);

const arrived = async ({ endpoint, cq }: Side, timeoutMs: number): Promise<Wc | undefined> =>
  (await endpoint.call('waitCq', { cq, count: 1, timeoutMs })).completions[0];

const violations = async ({ endpoint }: Side): Promise<number | null> => {
  if (!endpoint.has('counters')) return null;
  const { values } = await endpoint.call('counters', { when: 'sample' });
  return values.qkey_violations ?? null;
};

/** A datagram with a wrong Q_Key, and a right one behind it: only the right one may arrive. */
async function tryQkeys(ctx: Context, path: Path): Promise<{ wc: Wc | undefined; grh: Grh | null }> {
  const { size, spare } = ctx.params;
  const { to } = path;
  await postDatagramBuffer(to, ctx.params.size, spare);
  const before = await violations(to);
  await send(ctx, path, SEEDS.refused, WRONG_QKEY);
  await send(ctx, path, SEEDS.first, QKEY);
  const fits = spare === GRH_BYTES;
  const wc = await arrived(to, fits ? WAIT_MS : NEVER_MS);
  const after = await violations(to);
  const status = wc?.statusName ?? 'no completion';
  ctx.row('datagrams', {
    what: 'Right Q_Key',
    sender: 'SUCCESS',
    receiver: status,
    byteLen: wc?.byteLen ?? null,
  });
  ctx.figure('byte-len', wc?.statusName === 'SUCCESS' ? wc.byteLen : null);
  ctx.outcome('byte-length', status === 'SUCCESS' ? (wc?.byteLen === size ? 'payload' : 'both') : 'fails');
  const [sent, landed] = [
    await hashOf(path.from, 0, size),
    await hashOf(to, bufferAt(size) + GRH_BYTES, size),
  ];
  if (fits) {
    ctx.check(
      'byte-len',
      status === 'SUCCESS' && wc?.byteLen === size + GRH_BYTES,
      `byte_len is ${wc?.byteLen ?? 'missing'}; ${GRH_BYTES} B of GRH and ${size} B of payload are ${GRH_BYTES + size} B.`,
    );
    ctx.check(
      'payload-at-40',
      sent === landed,
      sent === landed
        ? `From offset ${GRH_BYTES} on lies what the client sent: ${plural(size, 'byte')}.`
        : `The bytes from offset ${GRH_BYTES} differ from those that the client sent.`,
    );
    ctx.doesNotApply('too-short', 'This run has room for the GRH.');
  } else {
    for (const id of ['byte-len', 'payload-at-40'])
      ctx.doesNotApply(id, 'This run leaves too little room for the GRH.');
    ctx.check(
      'too-short',
      status !== 'SUCCESS',
      `With ${spare} B of room for the GRH, the RECV ${wc ? `ended with ${status}` : `did not complete within ${NEVER_MS} ms`}.`,
    );
  }
  const dropped = before === null || after === null ? null : after - before;
  ctx.figure('qkey-violations', dropped);
  const { completions: more } = await to.endpoint.call('pollCq', { cq: to.cq });
  const stray = more.length > 0 || (fits && sent !== landed);
  ctx.row('datagrams', {
    what: 'Wrong Q_Key',
    sender: 'SUCCESS',
    receiver: stray ? 'a completion' : 'no completion',
    byteLen: null,
  });
  ctx.check(
    'wrong-qkey',
    !stray && (dropped === null || dropped === 1),
    `The datagram with Q_Key 0x${WRONG_QKEY.toString(16)} produced ${stray ? 'a' : 'no'} completion at the server${dropped === null ? '' : `; qkey_violations grew by ${dropped}`}. The client’s SEND completed with SUCCESS.`,
  );
  const grh = fits ? await to.endpoint.call('readGrh', { mr: to.mr.mr, offset: bufferAt(size) }) : null;
  return { wc, grh };
}

/** The server answers using only the GID in the GRH and the QPN in the completion. */
async function reply(ctx: Context, { from, to }: Path, wc: Wc | undefined, grh: Grh | null): Promise<void> {
  const { size } = ctx.params;
  if (grh === null || wc?.srcQp === undefined) {
    const why = grh === null ? 'This run leaves too little room for the GRH.' : 'No datagram arrived.';
    for (const id of ['grh', 'reply']) ctx.doesNotApply(id, why);
    return;
  }
  for (const [field, value] of [
    ['Version', grh.version],
    ['Source GID', grh.sourceGid],
    ['Destination GID', grh.destGid],
    ['Hop limit', grh.hopLimit],
    ['Source QPN (of the completion, not of the GRH)', qpnText(wc.srcQp)],
  ] as const)
    ctx.row('grh', { field, value });
  ctx.check(
    'grh',
    grh.sourceGid === from.qp.info.gid && grh.destGid === to.qp.info.gid && wc.srcQp === from.qp.info.qpn,
    `From ${grh.sourceGid} QP ${qpnText(wc.srcQp)} to ${grh.destGid}.`,
  );
  await postDatagramBuffer(from, size);
  const back: Path = { from: to, to: from, ah: await addressOf(to, grh.sourceGid), qpn: wc.srcQp };
  await send(ctx, back, SEEDS.reply, QKEY);
  const answer = await arrived(from, WAIT_MS);
  const same = (await hashOf(to, 0, size)) === (await hashOf(from, bufferAt(size) + GRH_BYTES, size));
  ctx.check(
    'reply',
    answer?.statusName === 'SUCCESS' && same,
    answer
      ? `The server’s answer arrived with ${answer.statusName} from ${answer.srcQp === undefined ? 'an unknown QP' : `QP ${qpnText(answer.srcQp)}`}.`
      : 'The server’s answer did not arrive.',
  );
  await to.endpoint.call('destroy', { what: 'ah', handle: back.ah });
}

/** A datagram is one packet. One that is too long, and a short one behind it: only the short one may arrive. */
async function tryTooLong(ctx: Context, path: Path): Promise<void> {
  const { size, spare } = ctx.params;
  const { from, to, ah, qpn } = path;
  const { mtu } = from.qp.info;
  ctx.figure('mtu', mtu);
  if (spare < GRH_BYTES)
    return ctx.doesNotApply('one-packet', 'The RECV that is too short is still the first one in the queue.');
  const long = mtu + 1;
  const source = await from.endpoint.call('regMr', {
    pd: from.scope.pd,
    length: long,
    access: ['LOCAL_WRITE'],
  });
  const room = await to.endpoint.call('regMr', {
    pd: to.scope.pd,
    length: GRH_BYTES + long,
    access: ['LOCAL_WRITE'],
  });
  await to.endpoint.call('postRecv', { qp: to.qp.qp, wr: { local: [{ mr: room.mr }] } });
  const wr = {
    opcode: 'SEND' as const,
    local: [{ mr: source.mr }],
    ah,
    remoteQpn: qpn,
    remoteQkey: QKEY,
  };
  const posted = await attempt(from.endpoint, 'postSend', { qp: from.qp.qp, wr });
  const sent = posted.ok ? await arrived(from, WAIT_MS) : undefined;
  const outcome = posted.ok ? (sent?.statusName ?? 'no completion') : posted.refusal;
  // A device that reports an error may have stopped the queue.
  const usable = posted.ok && sent?.statusName === 'SUCCESS';
  if (usable) await send(ctx, path, SEEDS.first, QKEY);
  const wc = usable ? await arrived(to, WAIT_MS) : undefined;
  const came = wc !== undefined && wc.byteLen > GRH_BYTES + size;
  ctx.row('datagrams', {
    what: `${long} B of payload`,
    sender: outcome,
    receiver: came ? wc.statusName : 'no completion',
    byteLen: came ? wc.byteLen : null,
  });
  const next = wc?.byteLen === GRH_BYTES + size;
  ctx.check(
    'one-packet',
    !came && (!usable || next),
    `The path MTU is ${mtu} B. The SEND of ${long} B ended with ${outcome} at the client${next ? ', and the server got only the next datagram' : ''}.`,
  );
  await from.endpoint.call('destroy', { what: 'mr', handle: source.mr });
  // The RECV is used up, or goes with the QP.
  if (wc) await to.endpoint.call('destroy', { what: 'mr', handle: room.mr });
}

export async function runUdGrh(ctx: Context): Promise<void> {
  const { size, spare } = ctx.params;
  const client = await openUd(ctx, 'client');
  const server = await openUd(ctx, 'server');
  ctx.figure('buffer', size + spare);
  const path: Path = {
    from: client,
    to: server,
    ah: await addressOf(client, server.qp.info.gid),
    qpn: server.qp.info.qpn,
  };
  const { wc, grh } = await tryQkeys(ctx, path);
  await reply(ctx, path, wc, grh);
  await tryTooLong(ctx, path);
  ctx.draining();
  await client.endpoint.call('destroy', { what: 'ah', handle: path.ah });
  await closeAll(client, server);
  ctx.answer(
    grh === null
      ? `A receive buffer of ${size + spare} B is too short for ${size} B of payload and a GRH of ${GRH_BYTES} B: the RECV ${wc ? `ended with ${wc.statusName}` : 'did not complete'}.`
      : wc === undefined
        ? `A datagram of ${size} B did not arrive.`
        : `A datagram of ${size} B arrived with byte_len ${wc.byteLen}: the GRH of ${GRH_BYTES} B, then the payload. The server answered to the GID in the GRH.`,
  );
}
