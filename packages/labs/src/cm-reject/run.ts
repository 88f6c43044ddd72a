import { closeAll } from '../endpoints/scope.js';
import { rejectReasonText } from '@verbslab/roce';
import { writeTo } from '../cm/endpoints.js';
import { valueOf } from '../cm/conversation.js';
import { formatTime } from '../base/format.js';
import { intend } from '../endpoints/intend.js';
import { inPhase } from '../endpoints/phase.js';
import { CASES, REASON, WHY, type Case } from './cases.js';
import { openStage, type Answer, type Context, type Stage } from './stage.js';

const TIMEOUT_MS = 10_000;
const TAKEN_ELSEWHERE =
  'The server’s program did not learn of it in this run: both endpoints have one address, and the message went to another process there.';

/** Reason in the answer’s packet; null: there is none. */
function reasonOf({ answer }: Answer): number | null {
  const found =
    valueOf(answer ?? undefined, 'infiniband.cm.rej.reason') ??
    valueOf(answer ?? undefined, 'infiniband.cm.sidr_rep.status');
  return typeof found === 'number' ? found : null;
}

/** The packets agree with the case, where there are any. */
function onWire({ message }: Case, answer: Answer, watched: boolean): boolean {
  if (!watched) return true;
  return (
    answer.messages[0]?.direction === 'sent' &&
    answer.answer?.name === (message ?? 'ConnectReject') &&
    reasonOf(answer) === (message === null ? REASON.timeout : answer.status)
  );
}

const words = ({ event, status }: { event: string; status: number }): string =>
  event === 'REJECTED' ? `${event}, ${rejectReasonText(status)}` : `${event}, status ${status}`;

function show(ctx: Context, one: Case, answer: Answer): void {
  const [atServer] = answer.serverEvents;
  ctx.row('rejections', {
    case: one.title,
    packet: answer.answer ? `${answer.answer.name} ${answer.answer.direction}` : null,
    reason: reasonOf(answer),
    client: answer.event === 'none' ? 'nothing: its id is gone' : words(answer),
    server: atServer ? words({ event: atServer.type, status: atServer.status }) : 'none',
    text: answer.text === '' ? 'zeros' : answer.text,
    time: answer.tookNs === null ? null : answer.tookNs / 1e6,
    state: answer.state,
  });
}

function check({ ctx, watch, oneAddress }: Stage, one: Case, answer: Answer): void {
  const [atServer] = answer.serverEvents;
  const gaveUp = one.message === null;
  if (gaveUp && !atServer && oneAddress) return ctx.doesNotApply(one.id, TAKEN_ELSEWHERE);
  const agrees =
    answer.event === one.event &&
    answer.status === one.status &&
    // A UD QP is in RTS as soon as it is created.
    (one.message === 'ServiceIDResReqResp' || answer.state !== 'RTS') &&
    (!gaveUp || (atServer?.type === 'REJECTED' && atServer.status === REASON.timeout)) &&
    (one.id !== 'program' || answer.text === WHY) &&
    (one.id !== 'closed' || answer.text === '');
  ctx.check(
    one.id,
    agrees && onWire(one, answer, watch.on),
    gaveUp
      ? `The server’s program got ${atServer ? `the event ${words({ event: atServer.type, status: atServer.status })}` : 'no event'}.`
      : `The client got ${words(answer)}${answer.text ? ` with “${answer.text}”` : ''}. Captured: ${answer.messages.map(({ name, direction }) => `${name} ${direction}`).join(', ') || 'nothing'}.`,
  );
}

/** The listener has turned many down, and still takes a connection. */
async function connectAfter(ctx: Context, { server, client }: Stage): Promise<void> {
  const { cm, address, port } = server.listener;
  await server.endpoint.call('cm.serve', { cm, ...server.queues });
  const { connections } = await client.endpoint.call('cm.connectMany', {
    address,
    port,
    ...client.queues,
    request: writeTo(server, client),
    count: 1,
    timeoutMs: TIMEOUT_MS,
  });
  await server.endpoint.call('cm.served', { cm });
  const [made] = connections;
  ctx.check(
    'still-listens',
    made?.event === 'ESTABLISHED' && made.status === 'SUCCESS',
    `The next connection got ${made?.event ?? 'nothing'}, and its WRITE ${made?.status ?? 'no completion'}.`,
  );
}

export async function runCmReject(ctx: Context): Promise<void> {
  const stage = await openStage(ctx);
  const answers = new Map<Case['id'], Answer>();
  for (const one of CASES) {
    intend(ctx, ...one.intends);
    const answer = await inPhase(ctx, one.id, one.title, () => one.run(stage));
    answers.set(one.id, answer);
    show(ctx, one, answer);
    check(stage, one, answer);
  }
  await connectAfter(ctx, stage);
  ctx.draining();
  await stage.watch.stop();
  await stage.server.endpoint.call('destroy', { what: 'cm', handle: stage.datagrams.cm });
  await closeAll(stage.client, stage.server);

  const took = (id: Case['id']): number | null => answers.get(id)?.tookNs ?? null;
  const none = answers.get('no-listener');
  ctx.figure('no-listener-reason', none?.status ?? null);
  ctx.figure('program-reason', answers.get('program')?.status ?? null);
  for (const id of ['program', 'closed', 'no-listener', 'no-service', 'no-datagrams'] as const) {
    const ns = took(id);
    ctx.figure(`${id}-time`, ns === null ? null : ns / 1e6);
  }
  ctx.outcome('datagrams', answers.get('no-datagrams')?.event === 'UNREACHABLE' ? 'unreachable' : 'rejected');
  ctx.outcome('silent', answers.get('closed')?.event === 'REJECTED' ? 'rejected' : 'waits');
  const ns = took('no-listener');
  ctx.answer(
    `rdma_connect ends with REJECTED and a reason: ${REASON.consumer} if a program refused, ${REASON.service} if no program listens` +
      `${ns === null ? '' : ` (after ${formatTime(ns)})`}. Only a program’s own rejection carries private data.`,
  );
}
