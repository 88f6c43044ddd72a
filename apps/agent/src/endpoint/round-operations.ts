/** Rounds of moves: what a lab wants a program to do, carried out here so that no command comes in between. */
import { markOf, WORD_BYTES } from './marks.js';
import { piece } from './memory-operations.js';
import type { Operations, Parsed } from './operations.js';
import { elapsedSince, take, until } from './polling.js';
import type { Session } from './session.js';
import { sgesOf, toSendWr } from './work-requests.js';

type Args = Parsed<'performRounds'>;
type Move = (round: number) => void | Promise<void>;

/** Each move with its objects looked up, so that a round only does the work. Throws BAD_HANDLE and LIMIT. */
function prepare(session: Session, args: Args, noteReceived: (count: number) => void): Move[] {
  const { wait, timeoutMs } = args;
  const qp = session.qps.get(args.qp);
  const [sendCq, recvCq] = [session.cqs.get(args.sendCq), session.cqs.get(args.recvCq)];
  const completed = async (cq: typeof sendCq, count: number, what: string): Promise<void> => {
    let found = 0;
    await until(() => (found += take(cq, what, count - found).length) === count, what, timeoutMs);
  };
  const byteAt = (mr: number, offset: number): Uint8Array => piece(session.mrs.get(mr), offset, 1);
  const wordAt = (mr: number, offset: number): DataView => {
    const { buffer, byteOffset } = piece(session.mrs.get(mr), offset, WORD_BYTES);
    return new DataView(buffer, byteOffset, WORD_BYTES);
  };
  return args.moves.map((one): Move => {
    switch (one.move) {
      case 'post': {
        const wr = toSendWr(session, one.wr);
        return () => qp.postSend(wr);
      }
      case 'recv': {
        const wr = { wrId: one.wr.wrId ?? 0, local: sgesOf(session, one.wr.local) };
        return () => qp.postRecv(wr);
      }
      case 'sent':
        return () => completed(sendCq, one.count, 'the completion of a request');
      case 'received':
        return async () => {
          if (wait === 'event') await recvCq.wait(one.count, { timeoutMs });
          else await completed(recvCq, one.count, 'the RECV');
          noteReceived(one.count);
        };
      case 'mark': {
        const byte = byteAt(one.mr, one.offset);
        return (round) => void Atomics.store(byte, 0, markOf(round));
      }
      case 'marked': {
        const byte = byteAt(one.mr, one.offset);
        return async (round) => {
          await until(() => Atomics.load(byte, 0) === markOf(round), 'data in memory', timeoutMs);
        };
      }
      case 'add': {
        const [sum, from, to] = [one.offset, one.from, one.to].map((offset) => wordAt(one.mr, offset));
        return () => {
          const value = sum!.getBigUint64(0, true) + from!.getBigUint64(0, true);
          sum!.setBigUint64(0, value, true);
          to!.setBigUint64(0, value, true);
        };
      }
    }
  });
}

export const roundOperations: Operations<'performRounds'> = {
  async performRounds(session, args) {
    let received = 0;
    const moves = prepare(session, args, (count) => (received += count));
    const timesNs: number[] = [];
    for (let round = args.first; round < args.first + args.rounds; round++) {
      const begun = process.hrtime.bigint();
      for (const move of moves) {
        const waiting = move(round);
        if (waiting) await waiting;
      }
      timesNs.push(elapsedSince(begun));
    }
    return { timesNs, received };
  },
};
