/** No RECV is posted: once it comes late, once it never comes. */
import type { LabContext, PacketSummary } from '@verbslab/protocol';
import { AethType, aethType, RC } from '@verbslab/roce';
import { formatTime, plural } from '../base/format.js';
import { NO_PACKETS, type PacketWatch } from '../wire/packet-watch.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { hex32 } from './order.js';
import { RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import type { WriteImmParams } from './params.js';

type Context = LabContext<WriteImmParams>;

const WAIT_MS = 10_000;
const LATE_ID = 88;

const request = (ctx: Context, client: Side, server: Side) => ({
  qp: client.qp.qp,
  cq: client.cq,
  wr: {
    opcode: 'RDMA_WRITE_WITH_IMM' as const,
    local: [{ mr: client.mr.mr, offset: 0, length: ctx.params.size }],
    remote: remoteOf(server),
    imm: ctx.params.immediate,
  },
  timeoutMs: WAIT_MS,
});

/** Sends to QPs that try without end. Resolves to the time of the message, ms; null where the run cannot tell. */
export async function tryLate(ctx: Context, client: Side, server: Side): Promise<number | null> {
  const before = await rnrNaksSent(server.endpoint);
  if (before === null) {
    ctx.figure('late-time', null);
    ctx.doesNotApply('late-recv', CANNOT_SEE_RNR);
    return null;
  }
  const sent = client.endpoint.call('postAndWait', request(ctx, client, server));
  const refused = await untilRnrNak(ctx, server.endpoint, before);
  await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: { wrId: LATE_ID } });
  const { elapsedNs, completions: done } = await sent;
  const [wc] = await completions(server.endpoint, server.cq, 1, 'RECV');
  const status = done[0]?.statusName ?? 'no completion';
  ctx.row('messages', {
    opcode: 'RDMA_WRITE_WITH_IMM',
    recv: 'posted late',
    status,
    noticed: 1,
    immediate: wc?.imm === undefined ? null : hex32(wc.imm),
  });
  ctx.figure('late-time', elapsedNs / 1e6);
  ctx.check(
    'late-recv',
    refused && status === 'SUCCESS' && wc?.wrId === LATE_ID && wc.imm === ctx.params.immediate,
    `${refused ? 'The server refused first.' : 'No refusal was seen before the RECV.'} The message completed with ${status} after ${formatTime(elapsedNs)}.`,
  );
  return elapsedNs / 1e6;
}

const isRnrNak = ({ opcode, syndrome }: PacketSummary): boolean =>
  opcode === RC.acknowledge && syndrome !== undefined && aethType(syndrome) === AethType.RNR;

/** The client’s QP gives up after `rnrRetry` tries more. Resolves to the status of its request, by name. */
export async function tryNever(
  ctx: Context,
  client: Side,
  server: Side,
  watch: PacketWatch,
): Promise<string> {
  const { rnrRetry } = ctx.params;
  await watch.take();
  const { completions: done } = await client.endpoint.call('postAndWait', request(ctx, client, server));
  const packets = await watch.take();
  const { completions: noticed } = await server.endpoint.call('pollCq', { cq: server.cq });
  const status = done[0]?.status ?? null;
  const name = done[0]?.statusName ?? 'no completion';
  const { state } = await client.endpoint.call('queryQp', { qp: client.qp.qp });
  ctx.row('messages', {
    opcode: 'RDMA_WRITE_WITH_IMM',
    recv: 'never posted',
    status: name,
    noticed: noticed.length,
    immediate: null,
  });
  ctx.figure('never-status', status);
  ctx.outcome(
    'missing-recv',
    status === 0 ? 'lost' : status === RNR_RETRY_EXC_ERR && rnrRetry > 0 ? 'retries' : 'fails',
  );
  ctx.check(
    'sender-knows',
    status === RNR_RETRY_EXC_ERR && noticed.length === 0 && state === 'ERR',
    `The client’s request completed with status ${status} (${name}), and its QP is in ${state}. The server got ${plural(noticed.length, 'completion')}.`,
  );
  if (!watch.on) {
    ctx.figure('tries', null);
    ctx.doesNotApply('tries', NO_PACKETS);
    return name;
  }
  const tries = packets.filter(({ opcode }) => opcode === RC.writeOnlyImmediate).length;
  const naks = packets.filter(isRnrNak).length;
  ctx.figure('tries', tries);
  ctx.check(
    'tries',
    tries === rnrRetry + 1 && naks === tries,
    `The client sent the message ${plural(tries, 'time')} and got ${plural(naks, 'RNR NAK')}. rnr_retry ${rnrRetry} allows 1 + ${rnrRetry}.`,
  );
  return name;
}
