/** The two ends of a ping-pong in which the receiver waits for completions in different ways. */
import type { EndpointResult } from '@verbslab/protocol';
import type { Cq, WorkCompletion } from '@verbslab/verbs';
import { setTimeout as after } from 'node:timers/promises';
import type { Operations, Parsed } from './operations.js';
import { elapsedSince, take, until, waitedFor, within } from './polling.js';

type Answer = Parsed<'answerMessages'>;
type Counts = Pick<EndpointResult<'answerMessages'>, 'arms' | 'rechecks' | 'sleeps'>;

/** Timers of Node.js are this coarse; the rest of a gap is spun. */
const TIMER_MS = 2;

const one = (cq: Cq): WorkCompletion | undefined => take(cq, 'RECV', 1)[0];

/** The next message, waited for in the chosen way. Throws AppError and VerbsError ETIMEDOUT. */
async function receive(cq: Cq, args: Answer, counts: Counts): Promise<WorkCompletion> {
  const { wait, budgetUs, timeoutMs } = args;
  const deadline = performance.now() + timeoutMs;
  const spinMs = { poll: timeoutMs, event: 0, adaptive: Math.min(timeoutMs, budgetUs / 1000) }[wait];
  for (;;) {
    const found = await within(spinMs, () => one(cq));
    if (found) return found;
    if (wait === 'poll') throw waitedFor('the RECV');
    const seen = cq.events;
    cq.reqNotify();
    counts.arms++;
    // A message that came before the CQ was armed raises no event.
    const early = one(cq);
    if (early) {
      counts.rechecks++;
      return early;
    }
    await cq.eventAfter(seen, { timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())) });
    counts.sleeps++;
  }
}

async function pauseFor(gapUs: number): Promise<void> {
  const end = performance.now() + gapUs / 1000;
  if (gapUs / 1000 > TIMER_MS) await after(Math.floor(gapUs / 1000 - TIMER_MS));
  await within(end - performance.now(), () => false);
}

export const messageOperations: Operations<'askMessages' | 'answerMessages'> = {
  async askMessages(session, { qp: handle, sendCq, recvCq, rounds, gapUs, timeoutMs }) {
    const qp = session.qps.get(handle);
    const [sent, received] = [session.cqs.get(sendCq), session.cqs.get(recvCq)];
    const roundTripsNs: number[] = [];
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      qp.postRecv({ wrId: round, local: [] });
      const begun = process.hrtime.bigint();
      qp.postSend({ opcode: 'SEND_WITH_IMM', immediate: round });
      const answer = await until(() => one(received), 'the answer', timeoutMs);
      roundTripsNs.push(elapsedSince(begun));
      if (answer.immediate !== round) wrong++;
      await until(() => take(sent, 'SEND').length > 0, 'the completion of the SEND', timeoutMs);
      if (gapUs > 0) await pauseFor(gapUs);
    }
    return { roundTripsNs, wrong };
  },

  async answerMessages(session, args) {
    const { rounds, omit } = args;
    const qp = session.qps.get(args.qp);
    const [sent, received] = [session.cqs.get(args.sendCq), session.cqs.get(args.recvCq)];
    const counts: Counts = { arms: 0, rechecks: 0, sleeps: 0 };
    const earlier = received.events;
    let cpu = process.cpuUsage();
    let begun = process.hrtime.bigint();
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      if (round === omit) {
        cpu = process.cpuUsage();
        begun = process.hrtime.bigint();
      }
      const message = await receive(received, args, counts);
      if (message.immediate !== round) wrong++;
      qp.postRecv({ wrId: round, local: [] });
      take(sent, 'SEND');
      qp.postSend({ opcode: 'SEND_WITH_IMM', immediate: message.immediate ?? 0 });
    }
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuNs: (user + system) * 1000,
      elapsedNs: elapsedSince(begun),
      wrong,
      ...counts,
      events: received.events - earlier,
    };
  },
};
