import { describe, expect, it } from 'vitest';
import type { Access } from '../src/index.js';
import { pair, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };
const BINDABLE: readonly Access[] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'MW_BIND'];
const RANGE: readonly Access[] = ['REMOTE_WRITE', 'REMOTE_READ'];

/** Two connected QPs. `b` has a region for windows. */
function windowed() {
  const two = pair();
  const region = two.pd.regMr(4096, BINDABLE);
  return Object.assign(two, { region });
}

describe('memory windows', () => {
  it('are of the types that the device names', () => {
    using two = windowed();
    expect(two.ctx.attributes.windowTypes).toEqual([1, 2]);
  });

  it('of type 1 open a part of a region by a call', async () => {
    using two = windowed();
    const { a, b, region, pd } = two;
    const mw = pd.allocMw(1);
    b.qp.bindMw(mw, { mr: region, offset: 1024, length: 100, access: RANGE }, { wrId: 4 });
    expect(await b.cq.wait(1, WAIT)).toMatchObject([{ wrId: 4n, opcode: 'BIND_MW' }]);
    const remote = mw.remote();
    expect(remote).toMatchObject({ addr: region.addr + 1024n, length: 100, rkey: mw.rkey });
    expect(remote.rkey).not.toBe(region.rkey);
    a.mr.bytes.fill(5);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 100), remote });
    await a.cq.wait(1, WAIT);
    expect(region.bytes.subarray(1024, 1124).every((byte) => byte === 5)).toBe(true);
    // The last byte is beyond the window, though inside the region.
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 101), remote });
    await expect(a.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR' });
    expect(region.bytes[1124]).toBe(0);
  });

  it('of type 2 are bound by a work request and end by LOCAL_INV', async () => {
    using two = windowed();
    const { a, b, region, pd } = two;
    const mw = pd.allocMw();
    const before = mw.rkey;
    b.qp.postSend({ opcode: 'BIND_MW', mw, rkey: mw.nextRkey, range: { mr: region, access: RANGE } });
    expect(await b.cq.wait(1, WAIT)).toMatchObject([{ opcode: 'BIND_MW', status: 'SUCCESS' }]);
    expect(mw.rkey >>> 8).toBe(before >>> 8);
    expect(mw.rkey & 0xff).toBe((before + 1) & 0xff);
    const remote = mw.remote();
    region.bytes[0] = 9;
    a.qp.postSend({ opcode: 'RDMA_READ', local: a.mr.sge(0, 8), remote });
    await a.cq.wait(1, WAIT);
    expect(a.mr.bytes[0]).toBe(9);
    // A region with a window bound to it stays.
    expect(
      thrown(() => {
        region.close();
      }),
    ).toMatchObject({ code: 'EBUSY', call: 'ibv_dereg_mr' });
    b.qp.postSend({ opcode: 'LOCAL_INV', invalidateRkey: mw.rkey });
    expect(await b.cq.wait(1, WAIT)).toMatchObject([{ opcode: 'LOCAL_INV' }]);
    a.qp.postSend({ opcode: 'RDMA_READ', local: a.mr.sge(0, 8), remote });
    await expect(a.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR' });
    mw.close();
    region.close();
  });

  it('are invalidated by the peer with SEND_WITH_INV', async () => {
    using two = windowed();
    const { a, b, region, pd } = two;
    const mw = pd.allocMw(2);
    b.qp.postSend({ opcode: 'BIND_MW', mw, rkey: mw.nextRkey, range: { mr: region, access: RANGE } });
    await b.cq.wait(1, WAIT);
    b.qp.postRecv({ local: b.mr.sge(0, 64) });
    a.qp.postSend({ opcode: 'SEND_WITH_INV', invalidateRkey: mw.rkey, local: a.mr.sge(0, 8) });
    const [received] = await b.cq.wait(1, WAIT);
    expect(received).toMatchObject({ opcode: 'RECV', invalidatedRkey: mw.rkey, byteLength: 8 });
    expect(received).not.toHaveProperty('immediate');
    await a.cq.wait(1, WAIT);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote: mw.remote() });
    await expect(a.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR' });
  });

  it('refuse a region without MW_BIND, another type, and a range outside', async () => {
    using two = windowed();
    const { b, region, pd } = two;
    expect(
      thrown(() => {
        b.qp.bindMw(pd.allocMw(2), { mr: region });
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_bind_mw' });
    expect(
      thrown(() => {
        b.qp.bindMw(pd.allocMw(1), { mr: region, offset: 4000, length: 100 });
      }).message,
    ).toContain('range.length');
    expect(() => pd.allocMw(1).remote()).toThrow(/never bound/);
    const mw = pd.allocMw(2);
    b.qp.postSend({ opcode: 'BIND_MW', mw, rkey: mw.nextRkey, range: { mr: b.mr } });
    await expect(b.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_MW_BIND_ERR' });
  });

  it('keep their region when nobody else does', async () => {
    const { inProcess } = await import('./helpers.js');
    const source = `import { openDevice } from './src/index.ts';
      import { setImmediate as turn } from 'node:timers/promises';
      const ctx = openDevice('uroce0'), pd = ctx.allocPd(), cq = ctx.createCq({ depth: 16 });
      const a = pd.createQp({ sendCq: cq }), b = pd.createQp({ sendCq: cq });
      a.connect(b.info()); b.connect(a.info());
      const mw = pd.allocMw(1), own = pd.regMr(64);
      (() => b.bindMw(mw, { mr: pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_READ', 'MW_BIND']), access: ['REMOTE_READ'] }))();
      await cq.wait();
      for (let i = 0; i < 20; i++) { gc(); await turn(); }
      a.postSend({ opcode: 'RDMA_READ', local: own.sge(), remote: mw.remote() });
      console.log((await cq.wait())[0].status);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'SUCCESS\n' });
  });
});
