import type { EndpointHandle, Move } from '@verbslab/protocol';
import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, LINKS, outcomes, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const ID = 'which-verb';
const SHORT = { rounds: 10, repeat: 2 };
const SHORTEST = { rounds: 5, repeat: 1, large: 4096 };
type Lab = Awaited<ReturnType<typeof runLab>>;

const find = (lab: Lab, table: string, job: string, verb: string) =>
  rows(lab, table).find((row) => row.job === job && row.verb === verb)!;

const REQUEST = 'Small request and reply';
const TOLD = 'Large transfer, the target must know';
const QUIET = 'Large transfer, the target must not know';
const READERS = 'Many readers of one value';
const COUNTER = 'Counter shared by many';
const STREAM = 'Stream of small messages';
const UNKNOWN = 'Result into a buffer whose address the sender does not know';

describe('which verb for which job', () => {
  it.each(LINKS)('tries all of them, and measures those that work (link %s)', async (link) => {
    const lab = await runLab(ID, SHORT, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(13);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(figures(lab)).toMatchObject({
      can: 20,
      impossible: 15,
      'write-told': 0,
      tag: 17,
      'no-right': 4,
      guessed: 10,
      lost: 10,
      'request-packets': 4,
      'request-trips': 1,
      'pull-trips': 2,
    });

    // The guide: WRITE pushes, READ pulls, SEND is a message, WRITE_WITH_IMM is data plus a tag.
    expect(rows(lab, 'guide').map(({ verb, use, told, tag }) => [verb, use, told, tag])).toEqual([
      ['SEND', 'Messages to a program', 1, null],
      ['WRITE', 'Pushing data', 0, null],
      ['WRITE_WITH_IMM', 'Pushing data with a tag of 32 bits', 1, 17],
      ['READ', 'Pulling data', 0, null],
      ['FETCH_ADD', 'Changing 8 bytes that others change, too', 0, null],
    ]);

    // One packet and its ACK, or its response; requests and replies twice as many.
    const wire = (job: string, verb: string) => {
      const { packets, roundTrips } = find(lab, 'wire', job, verb);
      return [packets, roundTrips];
    };
    expect(wire(REQUEST, 'WRITE')).toEqual([4, 1]);
    expect(wire(REQUEST, 'WRITE_WITH_IMM')).toEqual([4, 1]);
    expect(wire(READERS, 'READ')).toEqual([2, 1]);
    expect(wire(READERS, 'FETCH_ADD')).toEqual([2, 1]);
    expect(wire(READERS, 'SEND')).toEqual([4, 1]);
    expect(wire(UNKNOWN, 'SEND')).toEqual([2, 1]);
    expect(wire(UNKNOWN, 'READ')).toEqual([6, 2]);
    expect(wire(STREAM, 'WRITE')[1]).toBe(1);
    for (const { median, min, max, n } of rows(lab, 'wire') as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
      expect(n).toBe(2);
    }

    // IPv4 20, UDP 8, BTH 12, ICRC 4: 44 B. RETH is 16, ImmDt 4, AETH 4, AtomicETH 28, AtomicAckETH 8.
    const bytes = (job: string, verb: string) => find(lab, 'wire', job, verb).bytes;
    expect(bytes(REQUEST, 'SEND')).toBe(2 * (44 + 64) + 2 * 48);
    expect(bytes(REQUEST, 'WRITE')).toBe(2 * (60 + 64) + 2 * 48);
    expect(bytes(REQUEST, 'WRITE_WITH_IMM')).toBe(2 * (64 + 64) + 2 * 48);
    expect(bytes(READERS, 'READ')).toBe(60 + (48 + 8));
    expect(bytes(READERS, 'FETCH_ADD')).toBe(72 + 56);

    const work = (job: string, verb: string) => {
      const { initiator, passive, told, clientRights, serverRights } = find(lab, 'work', job, verb);
      return [initiator, passive, told, clientRights, serverRights];
    };
    expect(work(REQUEST, 'SEND')).toEqual(['client: RECV, SEND', 'server: RECV, SEND', 1, 'none', 'none']);
    expect(work(TOLD, 'WRITE_WITH_IMM')).toEqual([
      'client: WRITE_WITH_IMM',
      'server: RECV',
      1,
      'none',
      'REMOTE_WRITE',
    ]);
    expect(work(QUIET, 'WRITE')).toEqual(['client: WRITE', 'server: nothing', 0, 'none', 'REMOTE_WRITE']);
    expect(work(READERS, 'READ')).toEqual(['client: READ', 'server: nothing', 0, 'none', 'REMOTE_READ']);
    expect(work(READERS, 'WRITE')).toEqual(['server: WRITE', 'client: nothing', 0, 'REMOTE_WRITE', 'none']);
    expect(work(COUNTER, 'FETCH_ADD')).toEqual([
      'client: FETCH_ADD',
      'server: nothing',
      0,
      'none',
      'REMOTE_ATOMIC',
    ]);
    expect(work(STREAM, 'SEND')).toEqual(['client: RECV, 8 SEND', 'server: 8 RECV, SEND', 8, 'none', 'none']);
    expect(work(UNKNOWN, 'READ')).toEqual([
      'server: RECV, SEND',
      'client: RECV, READ, SEND',
      1,
      'none',
      'REMOTE_READ',
    ]);

    const { 'read-cpu': read, 'send-cpu': send } = figures(lab);
    expect(read).toBeLessThan(send!);
    expect(outcomes(lab).quiet).toBe('write');
    expect(rows(lab, 'matrix').map(({ job }) => job)).toEqual(rows(lab, 'ranking').map(({ job }) => job));
    expect(rows(lab, 'matrix')).toHaveLength(7);
    expect(rows(lab, 'cannot')).toHaveLength(15);
    expect(rows(lab, 'cannot').every(({ shown }) => typeof shown === 'string')).toBe(true);
  });

  it('says what one repetition cannot: which verb is faster', async () => {
    const lab = await runLab(ID, { ...SHORTEST, wait: 'poll', others: 2 });
    expect(unmet(lab)).toEqual([]);
    const { quiet, ...rest } = outcomes(lab);
    expect(quiet).toBe('write');
    expect([...new Set(Object.values(rest))]).toEqual(['tie']);
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
        args.moves[0]!.move === 'add' ? { ...args, moves: [args.moves[0]!, ...args.moves] } : args,
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

  it.each([
    ['message', 8, 'minimum of 9 B'],
    ['burst', 17, 'maximum of 16'],
    ['others', 0, 'minimum of 1'],
    ['wait', 'nap', 'not one of its values'],
  ])('refuses %s %s and names the range', (name, value, range) => {
    expect(() => findLab(ID).parse({ [name]: value })).toThrow(range);
  });
});
