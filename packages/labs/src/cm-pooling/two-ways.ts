/** WRITEs with a connection each, and the same WRITEs over a connection that is kept. */
import { conversations, wasLate, withoutReceipts, type Conversation } from '../cm/conversation.js';
import { writeTo } from '../cm/endpoints.js';
import { callFailed } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { statOf, type Stat } from '../base/sweep.js';
import { inPhase } from '../endpoints/phase.js';
import { checkFigures } from '../endpoints/too-busy.js';
import { asked, TIMEOUT_MS, type Stage } from './stage.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

export interface TwoWays {
  /** µs per request, connection included. */
  own: Stat;
  /** µs per request over the kept connection. */
  kept: Stat;
  /** µs of the first request: the connection is made for it. */
  first: number;
}

const show = ({ ctx }: Stage, name: string, stat: Stat): void => ctx.figure(name, stat.value, stat);

/** Times of WRITEs over one connection, the first with the time to connect. Throws AppError if one fails. */
async function overOne(stage: Stage): Promise<number[]> {
  const { ctx, server } = stage;
  const { endpoint, queues } = stage.clients[0]!;
  const began = ctx.now();
  const { address, port } = server.listener;
  const { cm } = await endpoint.call('cm.resolve', { address, port });
  const { pd, cq, link } = queues;
  const { qp } = await endpoint.call('cm.createQp', { cm, pd, sendCq: cq, ...(link && { link }) });
  const { established } = await endpoint.call('cm.connect', { cm });
  if (!established) throw callFailed('SYSTEM', 'rdma_connect', 'ECONNREFUSED');
  const connectNs = ctx.now() - began;
  // A single command, as the other way: a peer that is polled with a command per turn answers later on a busy machine.
  const { timesNs } = await endpoint.call('performRounds', {
    qp,
    sendCq: cq,
    recvCq: cq,
    moves: [
      { move: 'post', wr: writeTo(server, stage.clients[0]!) },
      { move: 'sent', count: 1 },
    ],
    rounds: ctx.params.requests,
    first: 0,
    wait: 'poll',
    timeoutMs: TIMEOUT_MS,
  });
  const ns = timesNs.map((time, i) => time + (i === 0 ? connectNs : 0));
  await endpoint.call('cm.disconnect', { cm });
  await endpoint.call('cm.disconnected', { cm, timeoutMs: TIMEOUT_MS });
  await endpoint.call('destroy', { what: 'qp', handle: qp });
  await endpoint.call('destroy', { what: 'cm', handle: cm });
  return ns;
}

const countOf = (all: readonly Conversation[]): number =>
  all.reduce((sum, one) => sum + withoutReceipts(one).length, 0);

export async function compareWays(stage: Stage): Promise<TwoWays> {
  const { ctx, watch, server } = stage;
  const { requests } = ctx.params;
  const [client] = stage.clients;
  const told = async (): Promise<Conversation[]> => conversations(await watch.take());
  await server.endpoint.call('cm.serve', { cm: server.listener.cm, ...server.queues });
  // Unmeasured: the first use of a call takes longer than the others.
  await client!.endpoint.call('cm.connectMany', { ...asked(stage, client!), count: 1 });
  await watch.take();
  const own = await inPhase(ctx, 'own', 'A connection per request', () =>
    client!.endpoint.call('cm.connectMany', { ...asked(stage, client!), count: requests }),
  );
  const ownTold = await told();
  const kept = await inPhase(ctx, 'kept', 'One connection for all requests', () => overOne(stage));
  const keptTold = await told();
  const [ownMessages, keptMessages] = [countOf(ownTold), countOf(keptTold)];
  const { established } = await server.endpoint.call('cm.served', { cm: server.listener.cm });

  const good = own.connections.filter(({ status }) => status === 'SUCCESS');
  ctx.check(
    'requests-done',
    good.length === requests && kept.length === requests,
    `${good.length} of ${plural(requests, 'WRITE')} succeeded on connections of their own, and ${kept.length} over the kept one.`,
  );
  // The warm-up made a connection too.
  ctx.check(
    'connections-made',
    established === requests + 2,
    `The server accepted ${plural(established - 2, 'connection')} for the requests with a connection of their own, and 1 for the others.`,
  );
  if (!watch.on) ctx.doesNotApply('cm-count', NO_PACKETS);
  else
    checkFigures(
      ctx,
      'cm-count',
      {
        holds: ownMessages === 5 * requests && keptMessages === 5,
        // Messages that are sent again may be answered in another way than the first time.
        refuted: !wasLate([...ownTold, ...keptTold]),
      },
      `${plural(ownMessages, 'CM message')} for ${plural(requests, 'request')} with their own connections; ${keptMessages} for the kept one.`,
    );
  const found: TwoWays = {
    own: statOf(good.map(({ beganAt, workedAt }) => (workedAt! - beganAt) / 1000)),
    kept: statOf(kept.slice(1).map((ns) => ns / 1000)),
    first: kept[0]! / 1000,
  };
  show(stage, 'own-time', found.own);
  show(stage, 'kept-time', found.kept);
  ctx.figure('first-time', found.first);
  ctx.figure('times-longer', found.own.value / found.kept.value);
  ctx.figure('cm-messages-own', watch.on ? ownMessages : null);
  ctx.figure('cm-messages-kept', watch.on ? keptMessages : null);
  return found;
}
