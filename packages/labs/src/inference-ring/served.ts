/** Batches with credits: a slot belongs to the client again when the result of its batch is there. */
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { rnrNaksSent } from '../endpoints/rnr.js';
import { remoteOf } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { batchOf, look, postRecvs, prepare, resultsAt, type Context, type Ends } from './endpoints.js';
import { decodeResults, encodeResults, expectedScore, intact, RESULT_BYTES, scoreOf } from './ring.js';

interface Notice {
  id: number;
  bytes: number;
  opcode: string;
  /** Requests that were whole, with their sequence number, when the server was notified. */
  whole: number;
}

interface Served {
  notices: Notice[];
  /** Results with the right number and score, in the order of the batches. */
  right: number;
  /** The most requests without a result at one time. */
  most: number;
  /** RNR NAKs of the server; null where its device does not count them. */
  naks: number | null;
}

/** The server takes the next notification, computes the scores, and WRITEs them back. */
async function serve(ctx: Context, { client, server }: Ends, first: number): Promise<Notice> {
  const { params } = ctx;
  const { batch } = params;
  const { endpoint, queues, mr } = server;
  const [wc] = await completions(endpoint, queues.recvCq, 1, 'RECV');
  const requests = await look(ctx, server, first, batch);
  const results = requests.map(({ sequence, features }) => ({ sequence, score: scoreOf(features) }));
  const at = resultsAt(params);
  await writeBytes(server, at, encodeResults(results));
  await endpoint.call('postSend', {
    qp: queues.qp.qp,
    wr: {
      opcode: 'RDMA_WRITE_WITH_IMM',
      local: [{ mr: mr.mr, offset: at, length: batch * RESULT_BYTES }],
      remote: remoteOf(client, at),
      imm: wc!.imm ?? 0,
    },
  });
  await completions(endpoint, queues.sendCq, 1, 'RDMA WRITE with immediate');
  return {
    id: wc!.imm ?? 0,
    bytes: wc!.byteLen,
    opcode: String(wc!.opcode),
    whole: requests.filter((one, i) => one.sequence === first + i && intact(one, first + i)).length,
  };
}

/** Takes a batch of results at the client. Resolves to the number of right ones. */
async function collect({ params }: Context, { client }: Ends, id: number): Promise<number> {
  const { batch } = params;
  const [wc] = await completions(client.endpoint, client.queues.recvCq, 1, 'RECV');
  const results = decodeResults(await readBytes(client, resultsAt(params), batch * RESULT_BYTES));
  const first = (id - 1) * batch + 1;
  return results.filter(
    ({ sequence, score }, i) =>
      wc?.imm === id && sequence === first + i && score === expectedScore(params, sequence),
  ).length;
}

async function serveAll(ctx: Context, ends: Ends): Promise<Served> {
  const { client, server } = ends;
  const { slots, batch, batches } = ctx.params;
  const before = await rnrNaksSent(server.endpoint);
  const served: Served = { notices: [], right: 0, most: 0, naks: null };
  const ahead = Math.min(batches, Math.floor(slots / batch));
  await postRecvs(server, server.queues, ahead);
  let credits = slots;
  let sent = 0;
  for (let taken = 1; taken <= batches; taken++) {
    while (credits >= batch && sent < batches) {
      const first = sent * batch + 1;
      sent++;
      credits -= batch;
      await prepare(ctx, client, first, batch);
      await postRecvs(client, client.queues, 1);
      await client.endpoint.call('postSendList', {
        qp: client.queues.qp.qp,
        wrs: batchOf(ctx, ends, first, batch, sent),
      });
      await completions(client.endpoint, client.queues.sendCq, 1, 'RDMA WRITE with immediate');
      served.most = Math.max(served.most, slots - credits);
    }
    served.notices.push(await serve(ctx, ends, (taken - 1) * batch + 1));
    if (ahead + taken <= batches) await postRecvs(server, server.queues, 1);
    served.right += await collect(ctx, ends, taken);
    credits += batch;
  }
  const after = await rnrNaksSent(server.endpoint);
  served.naks = before === null || after === null ? null : after - before;
  return served;
}

export async function serveWithCredits(ctx: Context, ends: Ends): Promise<void> {
  const { slots, batch, batches } = ctx.params;
  const text = `${plural(batches, 'batch', 'batches')} with credits`;
  const { notices, right, most, naks } = await inPhase(ctx, 'credits', text, () => serveAll(ctx, ends));
  const requests = batch * batches;
  const whole = notices.reduce((sum, one) => sum + one.whole, 0);
  const silent = notices.filter(({ bytes, opcode }) => bytes === 0 && opcode === 'RECV_RDMA_WITH_IMM').length;
  ctx.figure('notifications', notices.length);
  ctx.figure('in-flight', most);
  for (const { id, bytes, whole: complete } of notices.slice(0, 8))
    ctx.row('batches', { id, bytes, requests: batch, complete });
  const wrong = notices.findIndex(({ id }, i) => id !== i + 1);
  ctx.check(
    'order',
    wrong < 0,
    wrong < 0
      ? `The server was notified of the batches ${notices[0]?.id} to ${notices.at(-1)?.id}, each after the one before.`
      : `Notification ${wrong + 1} had the id ${notices[wrong]!.id}.`,
  );
  ctx.check(
    'zero-length',
    silent === batches,
    `${plural(requests, 'request')} took ${plural(notices.length, 'RECV')}. ${silent} of the notifications were RECV_RDMA_WITH_IMM with 0 B.`,
  );
  ctx.check(
    'intact',
    whole === requests,
    `When the server was notified, ${whole} of ${plural(requests, 'request')} were in their slots, with the right sequence number and every byte.`,
  );
  ctx.check(
    'results',
    right === requests,
    `${right} of ${plural(requests, 'result')} came back with the id of their batch and the right score.`,
  );
  ctx.check(
    'credits',
    most <= slots && whole === requests && (naks ?? 0) === 0,
    `At most ${most} of ${plural(slots, 'slot')} were in use. ${whole === requests ? 'No slot was overwritten before it was read' : `${requests - whole} of ${plural(requests, 'request')} were not in their slots when they were read`}${naks === null ? '' : `, and there were ${plural(naks, 'RNR NAK')}`}.`,
  );
}
