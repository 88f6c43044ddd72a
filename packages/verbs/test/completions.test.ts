import { describe, expect, it } from 'vitest';
import { inProcess, join, pair, thrown } from './helpers.js';

describe('operations', () => {
  it('WRITE and READ move bytes', async () => {
    using two = pair();
    two.a.mr.bytes.set(Buffer.from('over the wire'));
    two.a.qp.postSend({
      opcode: 'RDMA_WRITE',
      wrId: 7,
      local: two.a.mr.sge(0, 13),
      remote: two.b.mr.remote(100),
    });
    expect(await two.a.cq.wait()).toMatchObject([
      { wrId: 7n, status: 'SUCCESS', opcode: 'RDMA_WRITE', qpn: two.a.qp.qpn },
    ]);
    expect(Buffer.from(two.b.mr.bytes.subarray(100, 113)).toString()).toBe('over the wire');
    two.b.qp.postSend({ opcode: 'RDMA_READ', local: two.b.mr.sge(0, 13), remote: two.a.mr.remote() });
    expect(await two.b.cq.wait()).toMatchObject([{ opcode: 'RDMA_READ', byteLength: 13 }]);
    expect(Buffer.from(two.b.mr.bytes.subarray(0, 13)).toString()).toBe('over the wire');
  });

  it('SEND with immediate data meets a RECV', async () => {
    using two = pair({ maxInlineData: 16 });
    two.b.qp.postRecv({ wrId: 2n ** 63n, local: two.b.mr.sge(0, 64) });
    two.a.mr.bytes.set([1, 2, 3]);
    two.a.qp.postSend({
      opcode: 'SEND_WITH_IMM',
      immediate: 0xdeadbeef,
      local: two.a.mr.sge(0, 3),
      inline: true,
    });
    const [received] = await two.b.cq.wait();
    expect(received).toMatchObject({ wrId: 2n ** 63n, opcode: 'RECV', byteLength: 3, immediate: 0xdeadbeef });
    expect(Array.from(two.b.mr.bytes.subarray(0, 3))).toEqual([1, 2, 3]);
    const [sent] = await two.a.cq.wait();
    expect(sent).not.toHaveProperty('immediate');
  });

  it('atomics return what was there', async () => {
    using two = pair();
    const there = new DataView(two.b.mr.bytes.buffer);
    const here = new DataView(two.a.mr.bytes.buffer);
    there.setBigUint64(0, 40n, true);
    two.a.qp.postSend({
      opcode: 'ATOMIC_FETCH_AND_ADD',
      add: 2,
      local: two.a.mr.sge(0, 8),
      remote: two.b.mr.remote(),
    });
    expect(await two.a.cq.wait()).toMatchObject([{ opcode: 'FETCH_ADD' }]);
    expect([here.getBigUint64(0, true), there.getBigUint64(0, true)]).toEqual([40n, 42n]);
    two.a.qp.postSend({
      opcode: 'ATOMIC_CMP_AND_SWP',
      compare: 42n,
      swap: 7n,
      local: two.a.mr.sge(0, 8),
      remote: two.b.mr.remote(),
    });
    expect(await two.a.cq.wait()).toMatchObject([{ opcode: 'COMP_SWAP' }]);
    expect([here.getBigUint64(0, true), there.getBigUint64(0, true)]).toEqual([42n, 7n]);
  });

  it('gather from several pieces', async () => {
    using two = pair({ maxSendSge: 3 });
    two.a.mr.bytes.set([1, 2, 3, 4, 5, 6]);
    const { mr } = two.a;
    two.a.qp.postSend({
      opcode: 'RDMA_WRITE',
      local: [mr.sge(4, 2), mr.sge(0, 1), mr.sge(2, 2)],
      remote: two.b.mr.remote(),
    });
    await two.a.cq.wait();
    expect(Array.from(two.b.mr.bytes.subarray(0, 5))).toEqual([5, 6, 1, 3, 4]);
  });

  it('fail with the status of their cause', async () => {
    using two = pair();
    two.a.qp.postSend({
      opcode: 'RDMA_WRITE',
      wrId: 3,
      local: two.a.mr.sge(0, 8),
      remote: { ...two.b.mr.remote(), rkey: (two.b.mr.rkey ^ 1) >>> 0 },
    });
    await expect(two.a.cq.wait()).rejects.toMatchObject({
      code: 'WC_REM_ACCESS_ERR',
      wcStatus: 10,
      hint: expect.stringContaining('rkey') as string,
    });
    expect(two.a.qp.state).toBe('ERR');
  });

  it('flush what follows a failure', async () => {
    using two = pair();
    const local = { ...two.a.mr.sge(0, 8), lkey: 1 };
    two.a.qp.postSend(
      [1, 2].map((wrId) => ({ opcode: 'RDMA_WRITE', wrId, local, remote: two.b.mr.remote() }) as const),
    );
    const got: string[] = [];
    for await (const wc of two.a.cq.completions({ timeoutMs: 5000 })) {
      got.push(wc.status);
      if (got.length === 2) break;
    }
    expect(got).toEqual(['LOC_PROT_ERR', 'WR_FLUSH_ERR']);
  });
});

describe('waiting for completions', () => {
  it('iterates in order, across many wake-ups', async () => {
    using two = pair({ maxSendWr: 64 });
    const count = 500;
    const remote = two.b.mr.remote();
    let posted = 0;
    const post = () => {
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', wrId: posted++, local: two.a.mr.sge(0, 64), remote });
    };
    for (let i = 0; i < 8; i++) post();
    let expected = 0n;
    for await (const wc of two.a.cq.completions({ timeoutMs: 5000 })) {
      expect(wc.wrId).toBe(expected++);
      if (posted < count) post();
      if (expected === BigInt(count)) break;
    }
  });

  it('serves several CQs of one channel', async () => {
    using two = pair();
    two.a.qp.postRecv({ wrId: 1, local: two.a.mr.sge(0, 8) });
    two.b.qp.postRecv({ wrId: 2, local: two.b.mr.sge(0, 8) });
    expect(two.a.cq.channel).toBe(two.b.cq.channel);
    const both = Promise.all([two.a.cq.wait(2, { timeoutMs: 5000 }), two.b.cq.wait(2, { timeoutMs: 5000 })]);
    two.a.qp.postSend({ opcode: 'SEND', local: two.a.mr.sge(0, 8) });
    two.b.qp.postSend({ opcode: 'SEND', local: two.b.mr.sge(0, 8) });
    const opcodes = (await both).map((list) => list.map((wc) => wc.opcode).sort());
    expect(opcodes).toEqual([
      ['RECV', 'SEND'],
      ['RECV', 'SEND'],
    ]);
  });

  it('gives up in time', async () => {
    using two = pair();
    await expect(two.a.cq.wait(1, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await expect(async () => {
      for await (const _ of two.a.cq.completions({ timeoutMs: 30 }));
    }).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('ends when aborted or closed', async () => {
    using two = pair();
    const abort = new AbortController();
    const aborted = two.a.cq.wait(1, { signal: abort.signal });
    const iteration = (async () => {
      for await (const _ of two.a.cq.completions({ signal: abort.signal }));
      return 'over';
    })();
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await iteration).toBe('over');
    const closing = (async () => {
      for await (const _ of two.a.cq.completions());
      return 'closed';
    })();
    two.a.qp.close();
    two.a.cq.close();
    expect(await closing).toBe('closed');
  });

  it('needs a channel', async () => {
    using two = pair({ cq: { depth: 16, channel: null } });
    await expect(two.a.cq.wait()).rejects.toMatchObject({ code: 'EINVAL' });
    two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 8), remote: two.b.mr.remote() });
    let got = two.a.cq.poll();
    while (got.length === 0) got = two.a.cq.poll();
    expect(got[0]!.status).toBe('SUCCESS');
    expect(thrown(() => two.a.cq.poll(0)).message).toContain('max');
  });

  it('keeps the process alive only while a caller waits', async () => {
    const source = `import { openDevice } from './src/index.ts';
      const ctx = openDevice('uroce0');
      const cq = ctx.createCq({ depth: 16 });
      ctx.onAsyncEvent(() => {});
      const wait = cq.wait(1, { timeoutMs: 300 }).catch((error) => console.log(error.code));
      wait.then(() => console.log('idle'));`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'ETIMEDOUT\nidle\n' });
  });
});

describe('asynchronous events', () => {
  it('tell which QP failed', async () => {
    using two = pair();
    const event = new Promise((resolve) => two.ctx.onAsyncEvent(resolve));
    const late = two.pd.createQp({ sendCq: two.b.cq });
    const early = two.pd.createQp({ sendCq: two.a.cq });
    join(early, late);
    // An access that the responder must refuse raises an event there.
    early.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 8), remote: { addr: 0n, rkey: 1 } });
    await two.a.cq.wait().catch(() => undefined);
    const keepAlive = setInterval(() => undefined, 1000);
    expect(await event).toMatchObject({ type: 'QP_ACCESS_ERR', qpn: late.qpn });
    clearInterval(keepAlive);
  });
});
