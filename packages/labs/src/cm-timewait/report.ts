/** Figures and checks of each ending, from times and the capture. */
import { qpnText, type CmShown } from '@verbslab/protocol';
import { messageOf, valueOf, type CmMessage, type Conversation } from '../cm/conversation.js';
import { formatNumber, plural } from '../base/format.js';
import { checkFigures } from '../endpoints/too-busy.js';
import type { Ending, Meanwhile } from './endings.js';
import { eventOf, SIDES, type Context, type Side, type Stage } from './stage.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

const NS_PER_MS = 1e6;
const UNIT_NS = 4096;
/** The kernel computes with milliseconds of 1/1024 s, and its timers are coarse. */
const ROUNDED = 0.9;

const DREQ = 'DisconnectRequest';
const DREP = 'DisconnectReply';

export interface Ended {
  ending: Ending;
  /** ms to TIMEWAIT_EXIT, from DISCONNECTED or from the answer to the peer’s request; null: one did not come. */
  timewait: Record<Side, number | null>;
  disconnected: Record<Side, CmShown | undefined>;
  exit: Record<Side, CmShown | undefined>;
  conversation: Conversation | undefined;
}

/** ms. */
const between = (from: number | undefined, to: CmShown | undefined): number | null =>
  from === undefined || to?.at === undefined ? null : (to.at - from) / NS_PER_MS;

export function endedOf(stage: Stage, ending: Ending, all: readonly Conversation[]): Ended {
  const of = (type: string): Record<Side, CmShown | undefined> => ({
    client: eventOf(stage, 'client', ending.connection, type),
    server: eventOf(stage, 'server', ending.connection, type),
  });
  const [disconnected, exit] = [of('DISCONNECTED'), of('TIMEWAIT_EXIT')];
  const { client } = ending.connection.qpns;
  return {
    ending,
    disconnected,
    exit,
    timewait: {
      client: between(disconnected.client?.at, exit.client),
      server: between(ending.answeredAt ?? disconnected.server?.at, exit.server),
    },
    conversation: all.find(
      (one) => valueOf(messageOf(one, 'ConnectRequest'), 'infiniband.cm.req.localqpn') === client,
    ),
  };
}

/** ACK timeout of the connection’s request, ms; null: not captured. */
export function ackMs({ conversation }: Ended): { code: number; ms: number } | null {
  const request = conversation && messageOf(conversation, 'ConnectRequest');
  const code = valueOf(request, 'infiniband.cm.req.prim_localacktout');
  return typeof code === 'number' ? { code, ms: (UNIT_NS * 2 ** code) / NS_PER_MS } : null;
}

const ends = ({ conversation }: Ended): CmMessage[] =>
  (conversation?.messages ?? []).filter(({ name }) => name === DREQ || name === DREP);

export const copiesOf = (ended: Ended): number =>
  ends(ended).reduce(
    (sum, { name, direction, repeated }) =>
      name === DREQ && direction === 'sent' ? sum + 1 + repeated : sum,
    0,
  );

export const messagesOf = (ended: Ended): number =>
  ends(ended).reduce((sum, { repeated }) => sum + 1 + repeated, 0);

export function show(ctx: Context, ended: Ended): void {
  const { ending, disconnected, exit, timewait } = ended;
  for (const side of SIDES) {
    const after = (event: CmShown | undefined): number | null =>
      event?.at === undefined ? null : (event.at - ending.beganAt) / NS_PER_MS;
    ctx.row('ends', {
      ending: ending.title,
      endpoint: side,
      disconnected: after(disconnected[side]),
      status: disconnected[side]?.status ?? null,
      exit: after(exit[side]),
      timewait: timewait[side],
    });
  }
  const messages = ends(ended);
  for (const { name, direction, t, lastT, repeated } of messages)
    ctx.row('messages', {
      ending: ending.title,
      message: name,
      direction,
      after: (t - ending.beganAt) / NS_PER_MS,
      last: repeated === 0 ? null : (lastT - ending.beganAt) / NS_PER_MS,
      copies: 1 + repeated,
    });
}

function checkOrder(ctx: Context, all: readonly Ended[]): void {
  const right = all.flatMap(({ timewait }) => SIDES.filter((side) => (timewait[side] ?? -1) > 0)).length;
  ctx.check(
    'order',
    right === 2 * all.length,
    `${right} of ${plural(2 * all.length, 'end')} got DISCONNECTED and then TIMEWAIT_EXIT.`,
  );
}

function checkTimewait(ctx: Context, all: readonly Ended[]): void {
  const ack = all[0] ? ackMs(all[0]) : null;
  if (!ack) return ctx.doesNotApply('long-enough', NO_PACKETS);
  const times = all.flatMap(({ timewait }) => SIDES.map((side) => timewait[side] ?? 0));
  const shortest = Math.min(...times);
  ctx.check(
    'long-enough',
    shortest >= ROUNDED * ack.ms,
    `The shortest timewait was ${formatNumber(shortest)} ms; the ACK timeout of the request is 4.096 µs × 2^${ack.code} = ${formatNumber(ack.ms)} ms.`,
  );
}

function checkMessages(ctx: Context, watched: boolean, first: Ended, both: Ended): void {
  if (!watched) {
    for (const id of ['request-reply', 'both-answered']) ctx.doesNotApply(id, NO_PACKETS);
    return;
  }
  const words = (ended: Ended): string =>
    ends(ended)
      .map(({ name, direction }) => `${name} ${direction}`)
      .join(', ') || 'nothing';
  ctx.check(
    'request-reply',
    words(first) === `${DREQ} sent, ${DREP} received`,
    `Captured at the client: ${words(first)}.`,
  );
  const got = SIDES.filter((side) => both.disconnected[side]?.status === 0);
  const answered = ends(both).filter(({ name }) => name === DREP).length > 0;
  ctx.check(
    'both-answered',
    got.length === 2 && answered,
    `${plural(got.length, 'end')} got DISCONNECTED with status 0. Captured at the client: ${words(both)}.`,
  );
}

/** Sends of a DREQ by the embedded device. */
function checkLost(ctx: Context, watched: boolean, lost: Ended | null): void {
  if (!lost) return ctx.doesNotApply('lost', 'The client’s device has no fault injection.');
  const copies = copiesOf(lost);
  const { unaware } = lost.ending;
  const status = lost.disconnected.client?.status;
  ctx.check(
    'lost',
    unaware === null
      ? status === 0 && (!watched || copies > ctx.params.lost)
      : status !== undefined && status < 0 && unaware === 'RTS',
    `${watched ? `The client sent ${plural(copies, DREQ)}. ` : ''}` +
      (unaware === null
        ? 'One arrived, and both ends got DISCONNECTED.'
        : `None arrived: the client got DISCONNECTED with status ${status}, and the server’s QP was in ${unaware}.`),
  );
}

/** True if the WRITE over the new connection completed while the old connection was in timewait. */
export const wasMeanwhile = ({ exit }: Ended, { writtenAt }: Meanwhile): boolean =>
  exit.client?.at === undefined || writtenAt < exit.client.at;

export function check(
  stage: Stage,
  found: { first: Ended; both: Ended; lost: Ended | null; again: Meanwhile },
): void {
  const { ctx, watch } = stage;
  const { first, both, lost, again } = found;
  const all = [first, both, ...(lost ? [lost] : [])];
  checkOrder(ctx, all);
  checkTimewait(ctx, all);
  checkMessages(ctx, watch.on, first, both);
  ctx.check(
    'id-used',
    again.refusal !== null,
    again.refusal === null ? 'rdma_connect succeeded.' : `rdma_connect: ${again.refusal}`,
  );
  const works = again.status === 'SUCCESS';
  const meanwhile = wasMeanwhile(first, again);
  checkFigures(
    ctx,
    'new-connection',
    { holds: works && meanwhile, refuted: !works },
    `The WRITE over the new connection got ${again.status} ${meanwhile ? 'before' : 'after'} the TIMEWAIT_EXIT of the old one.`,
  );
  checkLost(ctx, watch.on, lost);
}

export function showAgain(ctx: Context, { connection }: Ending, again: Meanwhile): void {
  ctx.row('again', {
    what: 'rdma_connect on the same id',
    answer: again.refusal ?? 'accepted',
  });
  const [old, now] = [connection.qpns.client, again.next.qpns.client];
  ctx.row('again', { what: 'A new id and a new QP', answer: `ESTABLISHED, WRITE: ${again.status}` });
  ctx.row('again', {
    what: 'QPN of the new QP',
    answer: old === now ? `${qpnText(now)}, the same` : `${qpnText(now)}; the old one is ${qpnText(old)}`,
  });
}
