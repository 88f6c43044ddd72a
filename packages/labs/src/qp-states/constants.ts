/** Three attributes with a value of 0 that means something else than it looks. Each gets a connection of its own. */
import { closeAll } from '../endpoints/scope.js';
import type { ConnectOptions, EndpointHandle, LabContext, Wc } from '@verbslab/protocol';
import { RC, RNR_TIMER_US } from '@verbslab/roce';
import { formatNumber, formatTime } from '../base/format.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import { intend } from '../endpoints/intend.js';
import { LOC_QP_OP_ERR } from '../endpoints/wc-statuses.js';
import { connectSides, openSide, remoteOf, type Side } from '../endpoints/side.js';
import type { QpStatesParams } from './params.js';

type Context = LabContext<QpStatesParams>;

const LENGTH = 64;
/** Time that the run watches a request that should never end, ms. */
const NEVER_MS = 400;
const WAIT_MS = 10_000;

async function connected<T>(
  ctx: Context,
  options: { client?: ConnectOptions; server?: ConnectOptions },
  body: (client: Side, server: Side) => Promise<T>,
): Promise<T> {
  const { link } = ctx.params;
  const open = (endpoint: EndpointHandle): Promise<Side> =>
    openSide(endpoint, { length: LENGTH, access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'], link });
  const client = await open(ctx.endpoint('client'));
  const server = await open(ctx.endpoint('server'));
  await connectSides(ctx, [client, server], link, [options.client ?? {}, options.server ?? {}]);
  const result = await body(client, server);
  await closeAll(client, server);
  return result;
}

const statusOf = (completions: readonly Wc[]): string => completions[0]?.statusName ?? 'no completion';

const outcomeRow = (ctx: Context, value: string, request: string, completions: readonly Wc[]): void =>
  ctx.row('zeros', { value, request, status: statusOf(completions) });

/** Time that the timeout code stands for, ns; null: without end. */
export const timeoutNs = (code: number): number | null => (code === 0 ? null : 4096 * 2 ** code);

export async function tryTimeout(ctx: Context): Promise<void> {
  const { timeout } = ctx.params;
  if (!ctx.endpoint('client').has('faults')) {
    ctx.doesNotApply('timeout', 'This device cannot drop a packet on purpose.');
    ctx.figure('after-loss', null);
    return;
  }
  const wait = timeoutNs(timeout);
  await connected(ctx, { client: { timeout, retryCount: 7 } }, async (client, server) => {
    const { endpoint, qp, cq, mr } = client;
    await endpoint.call('faults', {
      rules: [{ action: 'drop', qpn: server.qp.info.qpn, opcode: RC.writeOnly, times: 1 }],
    });
    const { elapsedNs, completions } = await endpoint.call('postAndWait', {
      qp: qp.qp,
      cq,
      wr: { opcode: 'RDMA_WRITE', local: [{ mr: mr.mr, length: LENGTH }], remote: remoteOf(server) },
      timeoutMs: wait === null ? NEVER_MS : WAIT_MS,
    });
    const { dropped } = await endpoint.call('faults.query', {});
    await endpoint.call('faults', {});
    const done = completions.length > 0;
    outcomeRow(ctx, `timeout ${timeout}`, 'WRITE, its packet lost', completions);
    ctx.figure('after-loss', done ? elapsedNs / 1e6 : null);
    ctx.outcome('lost-packet', done ? (statusOf(completions) === 'SUCCESS' ? 'repeats' : 'fails') : 'never');
    const lost = dropped === 1;
    if (wait === null)
      ctx.check(
        'timeout',
        lost && !done,
        done
          ? `The request completed with ${statusOf(completions)}.`
          : `Packets dropped: ${dropped}. The request was still pending after ${NEVER_MS} ms, without a retransmission or an error.`,
      );
    else
      ctx.check(
        'timeout',
        lost && statusOf(completions) === 'SUCCESS' && elapsedNs >= wait,
        `Packets dropped: ${dropped}. The result after ${formatTime(elapsedNs)}: ${statusOf(completions)}. The timeout is ${formatTime(wait)}.`,
      );
  });
}

/** The time that the SEND took, ms; null where it could not be measured. */
export async function tryRnrTimer(ctx: Context): Promise<number | null> {
  const { minRnrTimer } = ctx.params;
  const waitMs = RNR_TIMER_US[minRnrTimer]! / 1000;
  ctx.figure('rnr-code', waitMs);
  const server = ctx.endpoint('server');
  const before = await rnrNaksSent(server);
  if (before === null) {
    ctx.doesNotApply('rnr-timer', CANNOT_SEE_RNR);
    ctx.figure('rnr-wait', null);
    return null;
  }
  return connected(ctx, { client: { rnrRetry: 7 }, server: { minRnrTimer } }, async (client, at) => {
    const sent = client.endpoint.call('postAndWait', {
      qp: client.qp.qp,
      cq: client.cq,
      wr: { opcode: 'SEND', local: [{ mr: client.mr.mr, length: LENGTH }] },
      timeoutMs: WAIT_MS,
    });
    const posted = await untilRnrNak(ctx, server, before);
    await server.call('postRecv', { qp: at.qp.qp, wr: { local: [{ mr: at.mr.mr }] } });
    const { elapsedNs, completions } = await sent;
    outcomeRow(ctx, `min_rnr_timer ${minRnrTimer}`, 'SEND, RECV posted late', completions);
    const took = posted ? elapsedNs / 1e6 : null;
    ctx.figure('rnr-wait', took);
    ctx.check(
      'rnr-timer',
      posted && statusOf(completions) === 'SUCCESS' && elapsedNs / 1e6 >= waitMs,
      `Code ${minRnrTimer} is ${formatNumber(waitMs)} ms. The result of the SEND after ${formatTime(elapsedNs)}: ${statusOf(completions)}.`,
    );
    return took;
  });
}

/** The status of a READ on a connection of its own. */
async function statusOfRead(ctx: Context, maxRdAtomic: number): Promise<string> {
  if (maxRdAtomic === 0) intend(ctx, { role: 'client', most: 1, statuses: [LOC_QP_OP_ERR] });
  return connected(ctx, { client: { maxRdAtomic } }, async (client, server) => {
    const { completions } = await client.endpoint.call('postAndWait', {
      qp: client.qp.qp,
      cq: client.cq,
      wr: {
        opcode: 'RDMA_READ',
        local: [{ mr: client.mr.mr, length: LENGTH }],
        remote: remoteOf(server),
      },
      timeoutMs: maxRdAtomic === 0 ? NEVER_MS : WAIT_MS,
    });
    outcomeRow(ctx, `max_rd_atomic ${maxRdAtomic}`, 'READ', completions);
    return statusOf(completions);
  });
}

/** A READ with the chosen value, and one with the other: the value alone must decide whether it works. */
export async function tryRdAtomic(ctx: Context): Promise<void> {
  const chosen = ctx.params.maxRdAtomic;
  const first = await statusOfRead(ctx, chosen);
  const second = await statusOfRead(ctx, 1 - chosen);
  const [zero, one] = chosen === 0 ? [first, second] : [second, first];
  ctx.check(
    'rd-atomic',
    zero !== 'SUCCESS' && one === 'SUCCESS',
    `The result of a READ with max_rd_atomic 0: ${zero}; of the same READ with 1: ${one}.`,
  );
}
