/** WRITEs one after the other, with the times at which their program built, posted and completed each. */
import {
  completionFailed,
  type EndpointResult,
  type EndpointSendWr,
  type TracedWrite,
} from '@verbslab/protocol';
import type { Cq, SendWr, Sge, WorkCompletion } from '@verbslab/verbs';
import type { Parsed } from './operations.js';
import { waitedFor, within } from './polling.js';
import { reportPoll, toWc } from './queue-operations.js';
import type { Session } from './session.js';
import { shownSend, toSendWr } from './work-requests.js';

type Args = Parsed<'traceWrites'>;

/** WRITEs between two turns, in which the endpoint reads its commands. */
const WRITES_PER_TURN = 32;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The poll that found the completion. */
interface Poll {
  found: WorkCompletion;
  began: bigint;
  ended: bigint;
  empty: number;
}

async function pollOne(cq: Cq, timeoutMs: number): Promise<Poll> {
  let empty = 0;
  const poll = await within(timeoutMs, (): Poll | false => {
    const began = process.hrtime.bigint();
    const [found] = cq.poll(1);
    if (found) return { found, began, ended: process.hrtime.bigint(), empty };
    empty++;
    return false;
  });
  if (!poll) throw waitedFor('the completion of the RDMA WRITE');
  return poll;
}

/** Reports what happened once it has: between two WRITEs, so that it delays none of their stages. */
function report(
  session: Session,
  { cq, qp: handle }: Args,
  wr: EndpointSendWr,
  local: readonly Sge[],
  [called, returned]: readonly [bigint, bigint],
  { found, began, ended, empty }: Poll,
): void {
  const { recorder } = session;
  const args = { qp: `QP ${session.qps.get(handle).qpn}`, wr: shownSend(wr, local) };
  const durationNs = Number(returned - called);
  recorder.emit({ kind: 'verb', call: 'ibv_post_send', args, durationNs }, recorder.at(called));
  reportPoll(session, cq, 1, began, [toWc(found)], empty, ended);
}

export async function traceWrites(session: Session, args: Args): Promise<EndpointResult<'traceWrites'>> {
  const { recorder } = session;
  const { size, remote, inline, wait, firstId, count, timeoutMs } = args;
  const qp = session.qps.get(args.qp);
  const cq = session.cqs.get(args.cq);
  const writes: TracedWrite[] = [];
  for (let i = 0; i < count; i++) {
    if (i % WRITES_PER_TURN === WRITES_PER_TURN - 1) await turn();
    const seen = cq.events;
    if (wait === 'event')
      recorder.verb('ibv_req_notify_cq', { cq: `CQ ${args.cq}`, solicited_only: 0 }, () => cq.reqNotify());
    const built = process.hrtime.bigint();
    const wr = {
      wrId: firstId + i,
      opcode: 'RDMA_WRITE' as const,
      local: [{ mr: args.mr, length: size }],
      remote,
      signaled: true,
      inline,
    };
    const native: SendWr = toSendWr(session, wr);
    const called = process.hrtime.bigint();
    qp.postSend(native);
    const returned = process.hrtime.bigint();
    if (wait === 'event') await cq.eventAfter(seen, { timeoutMs });
    const poll = await pollOne(cq, timeoutMs);
    report(session, args, wr, native.local as Sge[], [called, returned], poll);
    if (poll.found.statusCode !== 0) throw completionFailed('RDMA WRITE', poll.found.statusCode);
    writes.push({
      built: recorder.at(built),
      called: recorder.at(called),
      returned: recorder.at(returned),
      got: recorder.at(poll.ended),
    });
  }
  return { writes };
}
