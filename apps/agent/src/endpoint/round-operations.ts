/** Rounds of moves: a lab's program, carried out here so that no command comes in between. */
import type { Cq } from '@verbslab/verbs';
import { bytesAt } from './lambda-operations.js';
import { markOf, WORD_BYTES } from './marks.js';
import { piece } from './memory-operations.js';
import type { Operations, Parsed } from './operations.js';
import { elapsedSince, take, until } from './polling.js';
import type { Session } from './session.js';
import { sgesOf, toSendWr } from './work-requests.js';

type Args = Parsed<'performRounds'>;
type Move = (round: number) => void | Promise<void>;

function floatsAt(session: Session, mr: number, offset: number, count: number): Float32Array {
  const bytes = piece(session.mrs.get(mr), offset, count * Float32Array.BYTES_PER_ELEMENT);
  return new Float32Array(bytes.buffer, bytes.byteOffset, count);
}

/** Looks up the objects of each move, so that a round only does the work. Throws BAD_HANDLE and LIMIT. */
function prepare(session: Session, args: Args, noteReceived: (count: number) => void): Move[] {
  const { wait, timeoutMs } = args;
  const qpOf = ({ qp = args.qp }: { qp?: number | undefined }) => session.qps.get(qp);
  const completed = async (cq: Cq, count: number, what: string): Promise<void> => {
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
        const qp = qpOf(one);
        const wr = toSendWr(session, one.wr);
        return () => qp.postSend(wr);
      }
      case 'recv': {
        const qp = qpOf(one);
        const wr = { wrId: one.wr.wrId ?? 0, local: sgesOf(session, one.wr.local) };
        return () => qp.postRecv(wr);
      }
      case 'sent': {
        const cq = session.cqs.get(one.cq ?? args.sendCq);
        return () => completed(cq, one.count, 'the completion of a request');
      }
      case 'received': {
        const cq = session.cqs.get(one.cq ?? args.recvCq);
        return async () => {
          if (wait === 'event') await cq.wait(one.count, { timeoutMs });
          else await completed(cq, one.count, 'the RECV');
          noteReceived(one.count);
        };
      }
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
      case 'copy': {
        const [from, to] = [one.from, one.offset].map((at) => piece(session.mrs.get(one.mr), at, one.length));
        return () => to!.set(from!);
      }
      case 'run': {
        const lambda = session.loaded.get(one.lambda);
        const [input, output] = [bytesAt(session, one.input), bytesAt(session, one.output)];
        return async () => void (await session.lambdas.run(lambda, input, output));
      }
      case 'load-and-run': {
        const { image, input, output, ...limits } = one;
        const [code, from, to] = [image, input, output].map((each) => bytesAt(session, each));
        return async () => {
          const lambda = await session.lambdas.load(code!, limits);
          try {
            await session.lambdas.run(lambda, from!, to!);
          } finally {
            await session.lambdas.unload(lambda);
          }
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
      case 'add-floats': {
        const { mr, offset, count } = one;
        const [sums, a, b] = [offset, one.a, one.b].map((at) => floatsAt(session, mr, at, count));
        return () => {
          for (let i = 0; i < count; i++) sums![i] = a![i]! + b![i]!;
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
