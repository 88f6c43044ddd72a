import { describe, expect, it } from 'vitest';
import { openDevice, type SendWr } from '../src/index.js';
import { DEVICE, pair, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };

describe('extended posting', () => {
  it('posts a list of all kinds', async () => {
    using two = pair({ extended: true, maxInlineData: 32 });
    const { a, b } = two;
    const here = new DataView(a.mr.bytes.buffer);
    const there = new DataView(b.mr.bytes.buffer);
    there.setBigUint64(64, 40n, true);
    a.mr.bytes.set([1, 2, 3]);
    b.qp.postRecv([{ local: b.mr.sge(512, 64) }, {}]);
    const remote = (offset: number) => b.mr.remote(offset);
    a.qp.postExtended([
      {
        opcode: 'RDMA_WRITE',
        wrId: 1,
        local: a.mr.sge(0, 3),
        inline: true,
        remote: remote(0),
        signaled: false,
      },
      { opcode: 'ATOMIC_FETCH_AND_ADD', wrId: 2, local: a.mr.sge(64, 8), remote: remote(64), add: 2 },
      {
        opcode: 'ATOMIC_CMP_AND_SWP',
        wrId: 3,
        local: a.mr.sge(72, 8),
        remote: remote(64),
        compare: 42,
        swap: 7,
      },
      { opcode: 'SEND_WITH_IMM', wrId: 4, local: a.mr.sge(0, 3), immediate: 11 },
      { opcode: 'RDMA_WRITE_WITH_IMM', wrId: 5, local: a.mr.sge(0, 3), remote: remote(8), immediate: 12 },
      { opcode: 'RDMA_READ', wrId: 6, local: a.mr.sge(128, 3), remote: remote(0), fence: true },
    ]);
    expect((await a.cq.wait(5, WAIT)).map((wc) => [wc.wrId, wc.opcode])).toEqual([
      [2n, 'FETCH_ADD'],
      [3n, 'COMP_SWAP'],
      [4n, 'SEND'],
      [5n, 'RDMA_WRITE'],
      [6n, 'RDMA_READ'],
    ]);
    expect((await b.cq.wait(2, WAIT)).map((wc) => wc.immediate)).toEqual([11, 12]);
    expect([here.getBigUint64(64, true), here.getBigUint64(72, true), there.getBigUint64(64, true)]).toEqual([
      40n,
      42n,
      7n,
    ]);
    expect(Array.from(a.mr.bytes.subarray(128, 131))).toEqual([1, 2, 3]);
  });

  it('binds and invalidates windows', async () => {
    using two = pair({ extended: true });
    const { b, pd } = two;
    const region = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_WRITE', 'MW_BIND']);
    const mw = pd.allocMw(2);
    b.qp.postExtended([
      { opcode: 'BIND_MW', mw, rkey: mw.nextRkey, range: { mr: region, access: ['REMOTE_WRITE'] } },
      { opcode: 'LOCAL_INV', invalidateRkey: mw.nextRkey },
    ]);
    expect((await b.cq.wait(2, WAIT)).map((wc) => wc.opcode)).toEqual(['BIND_MW', 'LOCAL_INV']);
  });

  it('names the target of a datagram', async () => {
    const ctx = openDevice(DEVICE);
    const pd = ctx.allocPd();
    const cq = ctx.createCq({ depth: 16 });
    const [a, b] = [0, 1].map(() => pd.createQp({ type: 'UD', sendCq: cq, extended: true }));
    for (const qp of [a!, b!]) qp.activate();
    const mr = pd.regMr(256);
    b!.postRecv({ local: mr.sge(128) });
    const ah = pd.createAh({ gid: ctx.gid().gid });
    a!.postExtended({
      opcode: 'SEND',
      local: mr.sge(0, 8),
      ah,
      remoteQpn: b!.qpn,
      remoteQkey: 0x1111_1111,
    });
    expect((await cq.wait(2, WAIT)).map((wc) => wc.opcode).sort()).toEqual(['RECV', 'SEND']);
    ctx.closeAll();
  });

  it('is all or nothing, unlike a list for ibv_post_send', () => {
    using two = pair({ extended: ['RDMA_WRITE'], maxSendWr: 4 });
    const { qp, mr } = two.a;
    const { maxSendWr } = qp.capabilities;
    const write: SendWr = { opcode: 'RDMA_WRITE', local: mr.sge(0, 8), remote: two.b.mr.remote() };
    const error = thrown(() => {
      qp.postExtended(Array.from({ length: maxSendWr + 1 }, () => write));
    });
    expect(error).toMatchObject({ code: 'ENOMEM', call: 'ibv_wr_complete' });
    expect(two.a.cq.poll()).toEqual([]);
    // Nothing was accepted: the whole queue is free.
    qp.postExtended(Array.from({ length: maxSendWr }, () => write));
  });

  it('knows the operations that the QP was created with', () => {
    using two = pair({ extended: ['RDMA_WRITE'] });
    expect(
      thrown(() => {
        two.a.qp.postExtended({ opcode: 'SEND' });
      }),
    ).toMatchObject({ code: 'EOPNOTSUPP', hint: expect.stringContaining('extended') as string });
    const plain = two.pd.createQp({ sendCq: two.a.cq });
    expect(
      thrown(() => {
        plain.postExtended({ opcode: 'SEND' });
      }).code,
    ).toBe('EOPNOTSUPP');
    expect(
      thrown(() => two.pd.createQp({ type: 'UD', sendCq: two.a.cq, extended: ['RDMA_READ'] })),
    ).toMatchObject({ code: 'EOPNOTSUPP', call: 'ibv_create_qp_ex' });
    expect(thrown(() => two.pd.createQp({ sendCq: two.a.cq, extended: ['PUT' as never] })).message).toContain(
      'extended',
    );
  });
});

describe('flags of a request', () => {
  it('signal the last of a list only', async () => {
    using two = pair();
    const { a, b } = two;
    a.qp.postSend(
      Array.from({ length: 10 }, (_, i) => ({
        opcode: 'RDMA_WRITE' as const,
        wrId: i,
        local: a.mr.sge(0, 8),
        remote: b.mr.remote(),
        signaled: i === 9,
      })),
    );
    expect(await a.cq.wait(1, WAIT)).toMatchObject([{ wrId: 9n }]);
    expect(a.cq.poll()).toEqual([]);
  });

  it('copy inline data while posting: the buffer may change at once', async () => {
    using two = pair({ maxInlineData: 64 });
    const { a, b } = two;
    a.mr.bytes.fill(1, 0, 16);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 16), remote: b.mr.remote(), inline: true });
    a.mr.bytes.fill(2, 0, 16);
    await a.cq.wait(1, WAIT);
    expect(b.mr.bytes[0]).toBe(1);
    const tooLong = a.qp.capabilities.maxInlineData + 1;
    expect(
      thrown(() => {
        a.qp.postSend({
          opcode: 'RDMA_WRITE',
          local: a.mr.sge(0, tooLong),
          remote: b.mr.remote(),
          inline: true,
        });
      }).code,
    ).toMatch(/EINVAL|ENOMEM/);
  });

  it('wake a receiver that waits for solicited events only', async () => {
    using two = pair();
    const { a, b, ctx } = two;
    const channel = ctx.createCompChannel();
    const cq = ctx.createCq({ depth: 16, channel });
    const qp = two.pd.createQp({ sendCq: cq });
    const peer = two.pd.createQp({ sendCq: a.cq });
    peer.connect(qp.info());
    qp.connect(peer.info());
    qp.postRecv([{ wrId: 1 }, { wrId: 2 }]);
    const woken: number[] = [];
    cq.reqNotify(true);
    channel.native.watch((tokens) => woken.push(...tokens));
    channel.native.setRef(true);
    peer.postSend({ opcode: 'SEND' });
    await a.cq.wait(1, WAIT);
    expect(woken).toEqual([]);
    peer.postSend({ opcode: 'SEND', solicited: true });
    await a.cq.wait(1, WAIT);
    while (woken.length === 0) await new Promise((turn) => setImmediate(turn));
    expect(woken).toEqual([cq.native.token]);
    expect(cq.poll().map((wc) => wc.wrId)).toEqual([1n, 2n]);
    channel.native.setRef(false);
    expect(b.qp.state).toBe('RTS');
  });
});
