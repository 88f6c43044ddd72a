import type { EndpointHandle, Move } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { outcomes, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const ID = 'which-verb';
const SHORTEST = { rounds: 5, repeat: 1, large: 4096 };

describe('which verb for which job', () => {
  it('says what one repetition cannot: which verb is faster', async () => {
    const lab = await runLab(ID, { ...SHORTEST, wait: 'poll', others: 2 });
    expect(unmet(lab)).toEqual([]);
    expect([...new Set(Object.values(outcomes(lab)))]).toEqual(['tie']);
  });

  it('takes sizes that are no multiple of 8 or of the path MTU', async () => {
    const lab = await runLab(ID, { ...SHORTEST, message: 9, large: 10_001, burst: 16 });
    expect(unmet(lab)).toEqual([]);
  });

  it('fails where a verb does something else', async () => {
    const other = meddle('client', 'postSend', ({ qp, wr }) => {
      const [local] = wr.local!;
      const changes: Partial<Record<typeof wr.opcode, Partial<typeof wr>>> = {
        SEND: { local: [{ ...local!, offset: local!.length! }] },
        RDMA_WRITE: { opcode: 'RDMA_READ' },
        RDMA_WRITE_WITH_IMM: { imm: 18 },
        RDMA_READ: { opcode: 'RDMA_WRITE' },
        ATOMIC_FETCH_AND_ADD: { add: '0x6' },
      };
      return { qp, wr: { ...wr, ...changes[wr.opcode] } };
    });
    expect(await unmetUnder([other], ID, SHORTEST)).toEqual([
      'send-message',
      'write-push',
      'imm-tag',
      'read-pull',
      'atomic-word',
    ]);
  });

  it('fails where the device carries out what it should refuse', async () => {
    const allowed = meddle('server', 'regMr', (args) => ({
      ...args,
      access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'],
    }));
    const short = meddle('client', 'postAndWait', (args) => ({
      ...args,
      wr: { ...args.wr, local: [{ ...args.wr.local![0]!, length: 8 }] },
    }));
    expect(await unmetUnder([allowed, short], ID, SHORTEST)).toEqual(['rights', 'eight-bytes']);
  });

  it('fails where a guessed rkey is right', async () => {
    const lucky = meddle('client', 'postAndWait', (args) => {
      const { addr, rkey } = args.wr.remote!;
      return { ...args, wr: { ...args.wr, remote: { addr, rkey: (rkey ^ 0xffff_ff00) >>> 0 } } };
    });
    expect(await unmetUnder([lucky], ID, SHORTEST)).toEqual(['unknown-address']);
  });

  const isPost = (move: Move | undefined, opcode: string): boolean =>
    move?.move === 'post' && move.wr.opcode === opcode;

  it('fails where no update gets lost, and where a READ brings something new', async () => {
    const twice = ['client', 'other-1'].map((role) =>
      meddle(role, 'performRounds', (args) =>
        args.moves[0]!.move === 'add' ? { ...args, moves: [args.moves[0], ...args.moves] } : args,
      ),
    );
    const elsewhere = meddle('server', 'performRounds', (args) => {
      const [first, sent, second] = args.moves;
      if (!isPost(first, 'RDMA_READ') || second?.move !== 'post') return args;
      const addr = `0x${(BigInt(second.wr.remote!.addr) + 64n).toString(16)}`;
      const moved = { ...second, wr: { ...second.wr, remote: { ...second.wr.remote!, addr } } };
      return { ...args, moves: [first!, sent!, moved, sent!] };
    });
    expect(await unmetUnder([...twice, elsewhere], ID, SHORTEST)).toEqual(['lost-updates', 'stale']);
  });

  /** The quiet transfer of the client: mark, WRITE, wait. */
  const isQuiet = ({ moves }: { moves: readonly Move[] }): boolean =>
    moves.length === 3 && moves[0]!.move === 'mark' && isPost(moves[1], 'RDMA_WRITE');

  it('fails where a WRITE notifies', async () => {
    let server: { endpoint: EndpointHandle; qp: number };
    const note = meddle('server', 'qpLink', (args, endpoint) => {
      server = { endpoint, qp: args.qp };
      return args;
    });
    const notifying = meddle('client', 'performRounds', async (args) => {
      const { moves, rounds } = args;
      if (!isQuiet(args) || rounds > 1) return args;
      const [mark, post, sent] = moves as [Move, Extract<Move, { move: 'post' }>, Move];
      await server.endpoint.call('postRecv', { qp: server.qp, wr: {} });
      const wr = { ...post.wr, opcode: 'RDMA_WRITE_WITH_IMM' as const, imm: 1 };
      return { ...args, moves: [mark, { ...post, wr }, sent] };
    });
    expect(await unmetUnder([note, notifying], ID, SHORTEST)).toEqual(['notified']);
  });

  it('fails where a job takes more packets, and where its data are wrong', async () => {
    const more = meddle('client', 'performRounds', (args) => {
      if (!isQuiet(args)) return args;
      const [mark, post, sent] = args.moves as [Move, Extract<Move, { move: 'post' }>, Move];
      if (args.rounds === 1) return { ...args, moves: [mark, post, sent, post, sent] };
      const local = [{ ...post.wr.local![0]!, offset: 4096 }];
      return { ...args, moves: [mark, { ...post, wr: { ...post.wr, local } }, sent] };
    });
    expect(await unmetUnder([more], ID, SHORTEST)).toEqual(['packets', 'jobs']);
  });
});
