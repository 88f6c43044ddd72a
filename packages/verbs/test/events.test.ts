import { describe, expect, it } from 'vitest';
import { openDevice, type AsyncEvent } from '../src/index.js';
import { DEVICE, inProcess, join, pair, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };

describe('completion queues', () => {
  it('are resized with what is in them', async () => {
    using two = pair({ cq: { depth: 16 }, maxSendWr: 64 });
    const { a, b } = two;
    const before = a.cq.depth;
    const write = { opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote: b.mr.remote() } as const;
    a.qp.postSend([
      { ...write, wrId: 1 },
      { ...write, wrId: 2 },
    ]);
    a.cq.resize(before + 100);
    expect(a.cq.depth).toBeGreaterThanOrEqual(before + 100);
    expect((await a.cq.wait(2, WAIT)).map((wc) => wc.wrId)).toEqual([1n, 2n]);
    a.cq.resize(4);
    expect(a.cq.depth).toBeLessThan(before + 100);
  });

  it.each([0, 1.5, 1e9])('refuse to be resized to %s', (depth) => {
    using two = pair();
    expect(
      thrown(() => {
        two.a.cq.resize(depth);
      }),
    ).toMatchObject({ code: 'EINVAL' });
  });

  it('tell their overrun as an event', async () => {
    using two = pair({ cq: { depth: 4 }, maxSendWr: 256 });
    const { a, b, ctx } = two;
    const count = a.cq.depth + 1;
    const events = ctx.events();
    const first = events.next();
    a.qp.postSend(
      Array.from({ length: count }, () => ({
        opcode: 'RDMA_WRITE' as const,
        local: a.mr.sge(0, 8),
        remote: b.mr.remote(),
      })),
    );
    const event = (await first).value as AsyncEvent;
    expect(event.type).toBe('CQ_ERR');
    expect(event.cq).toBe(a.cq);
    await events.return();
  });

  it('have channels of their own if asked', async () => {
    using ctx = openDevice(DEVICE);
    const pd = ctx.allocPd();
    const channels = [ctx.createCompChannel(), ctx.createCompChannel()];
    const cqs = channels.map((channel) => ctx.createCq({ depth: 16, channel }));
    const [a, b] = cqs.map((cq) => pd.createQp({ sendCq: cq }));
    join(a!, b!);
    b!.postRecv({});
    const received = cqs[1]!.wait(1, WAIT);
    a!.postSend({ opcode: 'SEND' });
    expect(await received).toMatchObject([{ opcode: 'RECV' }]);
    expect(await cqs[0]!.wait(1, WAIT)).toMatchObject([{ opcode: 'SEND' }]);
    ctx.closeAll();
  });
});

describe('events of a context', () => {
  /** A WRITE that the responder must refuse raises QP_ACCESS_ERR there. */
  const fail = ({ pd, a, b }: ReturnType<typeof pair>): number => {
    const [early, late] = [pd.createQp({ sendCq: a.cq }), pd.createQp({ sendCq: b.cq })];
    join(early, late);
    early.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote: { addr: 0n, rkey: 1 } });
    return late.qpn;
  };

  it('are iterated in order, none missed between two steps', async () => {
    using two = pair();
    const events = two.ctx.events();
    const first = events.next();
    const expected = [fail(two), fail(two), fail(two)];
    const got = [(await first).value as AsyncEvent];
    for await (const event of events) {
      got.push(event);
      if (got.length === 3) break;
    }
    expect(got.map(({ type }) => type)).toEqual(Array(3).fill('QP_ACCESS_ERR'));
    expect(got.map(({ qpn }) => qpn).sort()).toEqual(expected.sort());
  });

  it('reach several iterations', async () => {
    using two = pair();
    const firsts = [two.ctx.events().next(), two.ctx.events().next()];
    const qpn = fail(two);
    for (const first of firsts) expect((await first).value).toMatchObject({ type: 'QP_ACCESS_ERR', qpn });
  });

  it('end when aborted, or when the context closes', async () => {
    const two = pair();
    const count = async (signal?: AbortSignal) => {
      let seen = 0;
      for await (const _ of two.ctx.events(signal ? { signal } : {})) seen++;
      return seen;
    };
    const abort = new AbortController();
    const [aborted, closed] = [count(abort.signal), count()];
    abort.abort();
    expect(await aborted).toBe(0);
    two.ctx.closeAll();
    expect(await closed).toBe(0);
  });

  it('keep the process alive while somebody waits for one', async () => {
    const source = `import { openDevice } from './src/index.ts';
      const ctx = openDevice('uroce0'), pd = ctx.allocPd(), cq = ctx.createCq({ depth: 16 });
      const a = pd.createQp({ sendCq: cq }), b = pd.createQp({ sendCq: cq });
      a.connect(b.info()); b.connect(a.info());
      (async () => { for await (const event of ctx.events()) { console.log(event.type, event.qpn === b.qpn); return; } })();
      const mr = pd.regMr(8);
      // Only the waiting above holds the process.
      a.postSend({ opcode: 'RDMA_WRITE', local: mr.sge(), remote: { addr: 0n, rkey: 1 } });`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'QP_ACCESS_ERR true\n' });
  });
});
