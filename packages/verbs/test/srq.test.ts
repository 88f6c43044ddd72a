import { describe, expect, it } from 'vitest';
import { openDevice, type AsyncEvent } from '../src/index.js';
import { DEVICE, join, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };

/** An SRQ behind two servers, each with its own client. */
function shared(maxWr = 8) {
  const ctx = openDevice(DEVICE);
  const pd = ctx.allocPd();
  const cq = ctx.createCq({ depth: 64 });
  const served = ctx.createCq({ depth: 64 });
  const srq = pd.createSrq({ maxWr });
  const clients = [0, 1].map(() => {
    const client = pd.createQp({ sendCq: cq });
    join(client, pd.createQp({ sendCq: served, srq }));
    return client;
  });
  return { ctx, pd, cq, served, srq, clients, mr: pd.regMr(4096), [Symbol.dispose]: () => ctx.closeAll() };
}

describe('shared receive queues', () => {
  it('serve several QPs in the order of posting', async () => {
    using s = shared();
    const { srq, clients, mr, cq, served } = s;
    srq.postRecv([1, 2].map((wrId) => ({ wrId, local: mr.sge(64 * wrId, 64) })));
    for (const client of clients) {
      client.postSend({ opcode: 'SEND', local: mr.sge(0, 8) });
      await cq.wait(1, WAIT);
    }
    const received = await served.wait(2, WAIT);
    expect(received.map((wc) => [wc.wrId, wc.opcode])).toEqual([
      [1n, 'RECV'],
      [2n, 'RECV'],
    ]);
    expect(new Set(received.map((wc) => wc.qpn)).size).toBe(2);
  });

  it('raise one event when fewer receives are left than the limit', async () => {
    using s = shared();
    const { srq, clients, mr, ctx, cq } = s;
    srq.postRecv(Array.from({ length: 4 }, () => ({ local: mr.sge(64, 64) })));
    srq.modify({ limit: 3 });
    expect(srq.query()).toMatchObject({ maxWr: 8, limit: 3 });
    const events = ctx.events();
    const first = events.next();
    for (let i = 0; i < 3; i++) {
      clients[0]!.postSend({ opcode: 'SEND', local: mr.sge(0, 8) });
      await cq.wait(1, WAIT);
    }
    const event = (await first).value as AsyncEvent;
    expect(event.type).toBe('SRQ_LIMIT_REACHED');
    expect(event.srq).toBe(srq);
    // The limit is disarmed after one event, until it is set again.
    expect(srq.query().limit).toBe(0);
    await events.return();
  });

  it('grow, and refuse what does not fit', () => {
    using s = shared();
    const { srq, mr } = s;
    srq.modify({ maxWr: 100 });
    expect(srq.query().maxWr).toBeGreaterThanOrEqual(100);
    const { maxWr } = srq.query();
    const error = thrown(() => {
      srq.postRecv(Array.from({ length: maxWr + 2 }, () => ({ local: mr.sge(0, 8) })));
    });
    expect(error).toMatchObject({ code: 'ENOMEM', call: 'ibv_post_srq_recv' });
    expect(error.message).toContain(`${maxWr} of ${maxWr + 2} were taken`);
    expect(
      thrown(() => {
        srq.modify({ limit: maxWr + 1 });
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_modify_srq' });
    expect(thrown(() => s.pd.createSrq({ maxWr: 1e9 })).message).toContain('maxWr');
  });

  it('stay while QPs use them, whose own receive queue there is not', () => {
    using s = shared();
    const qp = s.pd.createQp({ sendCq: s.cq, srq: s.srq });
    expect(qp.srq).toBe(s.srq);
    expect(
      thrown(() => {
        qp.postRecv({ local: s.mr.sge(0, 8) });
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_post_recv' });
    expect(
      thrown(() => {
        s.srq.close();
      }),
    ).toMatchObject({ code: 'EBUSY', call: 'ibv_destroy_srq' });
  });
});
