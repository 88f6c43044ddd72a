/** Two ends of a ping-pong in which the target of a WRITE learns of it in different ways. */
import { callFailed, completionFailed, WC_STATUS } from '@verbslab/protocol';
import type { Cq, SendWr } from '@verbslab/verbs';
import { setTimeout as after } from 'node:timers/promises';
import { piece } from './memory-operations.js';
import type { Operations, Parsed } from './operations.js';
import type { Session } from './session.js';

type Ask = Parsed<'askNotices'>;
type Answer = Parsed<'answerNotices'>;

const WORD_BYTES = 8;
/** Looks between two turns of the event loop, in which the endpoint reads its commands. */
const LOOKS_PER_TURN = 64;
/** Byte values of messages; memory of a new region is 0. */
const PATTERNS = 255;

const patternOf = (round: number): number => (round % PATTERNS) + 1;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const elapsedSince = (begun: bigint): number => Number(process.hrtime.bigint() - begun);

/** Looks until `seen`. Throws AppError ETIMEDOUT. */
async function until(seen: () => boolean, what: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let looks = 1; !seen(); looks++) {
    if (looks % LOOKS_PER_TURN !== 0) continue;
    if (performance.now() >= deadline)
      throw callFailed(
        'SYSTEM',
        `Waiting for ${what}`,
        'ETIMEDOUT',
        'Check that the peer’s queue pair is connected and that it uses the same way to notify.',
      );
    await turn();
  }
}

/** Takes what is there; true if it was at least one. Throws AppError COMPLETION. */
function take(cq: Cq, opcode: string): boolean {
  const found = cq.poll();
  const failed = found.find(({ statusCode }) => statusCode !== 0);
  if (failed)
    throw completionFailed(opcode, WC_STATUS.find(({ name }) => name === failed.status)?.status ?? 0);
  return found.length > 0;
}

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
    return (round) => until(() => Atomics.load(last, 0) === patternOf(round), 'the last byte', timeoutMs);
  }
  if (way === 'counter') {
    const bytes = piece(mr, counter, WORD_BYTES);
    const word = new BigUint64Array(bytes.buffer, bytes.byteOffset, 1);
    return (round) => until(() => Atomics.load(word, 0) === BigInt(round + 1), 'the counter', timeoutMs);
  }
  const qp = session.qps.get(args.qp);
  return async () => {
    if (wait === 'event') await recvCq.wait(1, { timeoutMs });
    else await until(() => take(recvCq, 'RECV'), 'the RECV', timeoutMs);
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
      message.fill(patternOf(round));
      qp.postRecv({ wrId: 0, local: [] });
      const begun = process.hrtime.bigint();
      qp.postSend(requests);
      await until(() => take(recvCq, 'RECV'), 'the answer', timeoutMs);
      roundTripsNs.push(elapsedSince(begun));
      // The buffer is free for the next message after this only.
      await until(() => take(sendCq, 'RDMA WRITE'), 'the completion of the WRITE', timeoutMs);
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
      if (message.some((byte) => byte !== patternOf(round))) incomplete++;
      take(sendCq, 'SEND');
      qp.postSend({ opcode: 'SEND' });
    }
    const { user, system } = process.cpuUsage(cpu);
    return { cpuNs: (user + system) * 1000, elapsedNs: elapsedSince(begun), incomplete };
  },
};
