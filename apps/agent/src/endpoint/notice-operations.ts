/** The two ends of a ping-pong in which the target of a WRITE learns of it in different ways. */
import type { SendWr } from '@verbslab/verbs';
import { setTimeout as after } from 'node:timers/promises';
import { markOf, WORD_BYTES } from './marks.js';
import { piece } from './memory-operations.js';
import type { Operations, Parsed } from './operations.js';
import { elapsedSince, take, until } from './polling.js';
import type { Session } from './session.js';

type Ask = Parsed<'askNotices'>;
type Answer = Parsed<'answerNotices'>;

/** The message and what follows it; one of them makes a completion. */
function requestsOf(session: Session, args: Ask): SendWr[] {
  const { way, size, counter } = args;
  const mr = session.mrs.get(args.mr);
  const remote = { addr: BigInt(args.remote.addr), rkey: args.remote.rkey };
  const local = mr.sge(0, size);
  if (way === 'imm') return [{ opcode: 'RDMA_WRITE_WITH_IMM', local, remote, immediate: 0 }];
  const write = { opcode: 'RDMA_WRITE', local, remote, signaled: way === 'memory' } as const;
  if (way === 'memory') return [write];
  if (way === 'send') return [write, { opcode: 'SEND' }];
  return [
    write,
    {
      opcode: 'ATOMIC_FETCH_AND_ADD',
      local: mr.sge(counter, WORD_BYTES),
      remote: { addr: remote.addr + BigInt(counter), rkey: remote.rkey },
      add: 1n,
    },
  ];
}

/** Waits for the notice of this round at the target. */
function noticing(session: Session, args: Answer): (round: number) => Promise<void> {
  const { way, wait, size, counter, timeoutMs } = args;
  const mr = session.mrs.get(args.mr);
  const recvCq = session.cqs.get(args.recvCq);
  if (way === 'memory') {
    const last = piece(mr, size - 1, 1);
    return async (round) => {
      await until(() => Atomics.load(last, 0) === markOf(round), 'the last byte', timeoutMs);
    };
  }
  if (way === 'counter') {
    const bytes = piece(mr, counter, WORD_BYTES);
    const word = new BigUint64Array(bytes.buffer, bytes.byteOffset, 1);
    return async (round) => {
      await until(() => Atomics.load(word, 0) === BigInt(round + 1), 'the counter', timeoutMs);
    };
  }
  const qp = session.qps.get(args.qp);
  return async () => {
    if (wait === 'event') await recvCq.wait(1, { timeoutMs });
    else await until(() => take(recvCq, 'RECV').length > 0, 'the RECV', timeoutMs);
    qp.postRecv({ wrId: 0, local: [] });
  };
}

export const noticeOperations: Operations<'askNotices' | 'answerNotices'> = {
  async askNotices(session, args) {
    const { size, rounds, pauseMs, timeoutMs } = args;
    const qp = session.qps.get(args.qp);
    const [sendCq, recvCq] = [session.cqs.get(args.sendCq), session.cqs.get(args.recvCq)];
    const message = piece(session.mrs.get(args.mr), 0, size);
    const requests = requestsOf(session, args);
    const roundTripsNs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      message.fill(markOf(round));
      qp.postRecv({ wrId: 0, local: [] });
      const begun = process.hrtime.bigint();
      qp.postSend(requests);
      await until(() => take(recvCq, 'RECV').length > 0, 'the answer', timeoutMs);
      roundTripsNs.push(elapsedSince(begun));
      // The buffer is free for the next message after this only.
      await until(() => take(sendCq, 'RDMA WRITE').length > 0, 'the completion of the WRITE', timeoutMs);
      if (pauseMs > 0) await after(pauseMs);
    }
    return { roundTripsNs };
  },

  async answerNotices(session, args) {
    const { size, rounds, omit } = args;
    const qp = session.qps.get(args.qp);
    const sendCq = session.cqs.get(args.sendCq);
    const message = piece(session.mrs.get(args.mr), 0, size);
    const noticed = noticing(session, args);
    let cpu = process.cpuUsage();
    let begun = process.hrtime.bigint();
    let incomplete = 0;
    for (let round = 0; round < rounds; round++) {
      if (round === omit) {
        cpu = process.cpuUsage();
        begun = process.hrtime.bigint();
      }
      await noticed(round);
      if (message.some((byte) => byte !== markOf(round))) incomplete++;
      take(sendCq, 'SEND');
      qp.postSend({ opcode: 'SEND' });
    }
    const { user, system } = process.cpuUsage(cpu);
    return { cpuNs: (user + system) * 1000, elapsedNs: elapsedSince(begun), incomplete };
  },
};
