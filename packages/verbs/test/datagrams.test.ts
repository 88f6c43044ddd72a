import { describe, expect, it } from 'vitest';
import { GRH_BYTES, openDevice, readGrh, type QpOptions } from '../src/index.js';
import { DEVICE, join, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };

/** Two UD QPs of one context, ready to send, and a way to the device's own port. */
function datagrams(options: Partial<QpOptions> = {}, gidIndex?: number) {
  const ctx = openDevice(DEVICE);
  const pd = ctx.allocPd();
  const gid = ctx.gid(1, gidIndex);
  const side = (qkey: number) => {
    const cq = ctx.createCq({ depth: 64 });
    const qp = pd.createQp({ type: 'UD', sendCq: cq, ...options });
    qp.activate({ qkey });
    return { cq, qp, mr: pd.regMr(8192) };
  };
  const a = side(0x1111);
  const b = side(0x2222);
  const ah = pd.createAh({ gid: gid.gid, gidIndex: gid.index });
  return { ctx, pd, gid, a, b, ah, [Symbol.dispose]: () => ctx.closeAll() };
}

describe('UD', () => {
  it.each([1, 0])('carries a datagram and the address of its sender (GID %i)', async (gidIndex) => {
    process.env['UROCE_ADDR'] = '127.0.0.21,::1';
    using two = datagrams({}, gidIndex);
    const { a, b, ah, pd, gid } = two;
    b.qp.postRecv({ wrId: 5, local: b.mr.sge(0, GRH_BYTES + 100) });
    a.mr.bytes.set(Buffer.from('to whom it may concern'));
    a.qp.postSend({
      opcode: 'SEND_WITH_IMM',
      immediate: 77,
      local: a.mr.sge(0, 22),
      ah,
      remoteQpn: b.qp.qpn,
      remoteQkey: 0x2222,
    });
    const [received] = await b.cq.wait(1, WAIT);
    expect(received).toMatchObject({
      wrId: 5n,
      opcode: 'RECV',
      byteLength: GRH_BYTES + 22,
      sourceQpn: a.qp.qpn,
      grh: true,
      immediate: 77,
    });
    expect(Buffer.from(b.mr.bytes.subarray(GRH_BYTES, GRH_BYTES + 22)).toString()).toBe(
      'to whom it may concern',
    );
    expect(readGrh(b.mr.bytes)).toMatchObject({
      version: gid.gid.startsWith('::ffff:') ? 4 : 6,
      sourceGid: gid.gid,
      destGid: gid.gid,
    });
    // The reply uses only the received completion and buffer.
    using back = pd.createAhFrom(received!, b.mr.bytes);
    a.qp.postRecv({ local: a.mr.sge(1000, 200) });
    b.qp.postSend({
      opcode: 'SEND',
      local: b.mr.sge(GRH_BYTES, 4),
      ah: back,
      remoteQpn: received!.sourceQpn,
      remoteQkey: 0x1111,
    });
    expect((await a.cq.wait(2, WAIT)).map((wc) => wc.opcode)).toEqual(['SEND', 'RECV']);
    expect(Buffer.from(a.mr.bytes.subarray(1000 + GRH_BYTES, 1000 + GRH_BYTES + 4)).toString()).toBe('to w');
  });

  it('drops what carries another Q_Key', async () => {
    using two = datagrams();
    const { a, b, ah, ctx } = two;
    const before = ctx.extensions.counters()['qkey_violations']!;
    b.qp.postRecv({ wrId: 9, local: b.mr.sge(0, 200) });
    const send = (remoteQkey: number, length: number) =>
      a.qp.postSend({ opcode: 'SEND', local: a.mr.sge(0, length), ah, remoteQpn: b.qp.qpn, remoteQkey });
    send(0x3333, 10);
    send(0x2222, 20);
    const [received] = await b.cq.wait(1, WAIT);
    expect(received!.byteLength).toBe(GRH_BYTES + 20);
    expect(ctx.extensions.counters()['qkey_violations']! - before).toBe(1);
  });

  it('needs a target for every datagram, and only there', () => {
    using two = datagrams();
    const { a, b, ah, pd } = two;
    const send = (wr: object) =>
      thrown(() => {
        a.qp.postSend({ opcode: 'SEND', local: a.mr.sge(0, 8), ...wr } as never);
      });
    expect(send({})).toMatchObject({ code: 'EINVAL', hint: expect.stringContaining('remoteQpn') as string });
    expect(send({ ah }).message).toContain('remoteQpn');
    expect(send({ ah: {}, remoteQpn: 1, remoteQkey: 1 }).message).toContain('ah');
    ah.close();
    expect(send({ ah, remoteQpn: b.qp.qpn, remoteQkey: 0x2222 })).toMatchObject({ code: 'EBADF' });
    const rc = pd.createQp({ sendCq: a.cq });
    expect(
      thrown(() => {
        rc.postSend({ opcode: 'SEND', ah, remoteQpn: 1, remoteQkey: 1 });
      }).message,
    ).toContain('connected');
    expect(
      thrown(() => {
        rc.activate();
      }).hint,
    ).toContain('connect()');
  });

  it('refuses addresses that are none', () => {
    using two = datagrams();
    expect(thrown(() => two.pd.createAh({ gid: 'nowhere' }))).toMatchObject({
      code: 'EINVAL',
      call: 'ibv_create_ah',
    });
    expect(thrown(() => two.pd.createAh({})).code).toBe('EINVAL');
    expect(thrown(() => two.pd.createAhFrom({} as never, new Uint8Array(39))).message).toContain('39');
    expect(thrown(() => readGrh(new Uint8Array(40))).code).toBe('EINVAL');
  });

  it('finds an IPv4 header without a checksum, unless the bytes before it may be of IPv6', () => {
    // A datagram from the kernel's rxe to itself.
    const grh = new Uint8Array(40);
    grh.set([0x45, 0, 0, 92, 0, 1, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, 2, 10, 0, 0, 1], 20);
    expect(readGrh(grh)).toMatchObject({
      version: 4,
      sourceGid: '::ffff:10.0.0.2',
      destGid: '::ffff:10.0.0.1',
    });
    grh[0] = 0x60;
    expect(readGrh(grh).version).toBe(6);
  });

  it('reports its Q_Key', () => {
    using two = datagrams();
    expect(two.b.qp.query()).toMatchObject({ state: 'RTS', qkey: 0x2222 });
  });
});

describe('multicast', () => {
  it('reaches every QP of the group until it leaves', async () => {
    using two = datagrams();
    const { a, b, pd, ctx } = two;
    const group = '239.1.2.3';
    a.qp.attachMulticast(group);
    b.qp.attachMulticast(group);
    using ah = pd.createAh({ gid: group });
    const send = () =>
      a.qp.postSend({ opcode: 'SEND', local: a.mr.sge(0, 8), ah, remoteQpn: 0xff_ffff, remoteQkey: 0x2222 });
    b.qp.postRecv({ local: b.mr.sge(0, 100) });
    send();
    const [received] = await b.cq.wait(1, WAIT);
    expect(received).toMatchObject({ opcode: 'RECV', sourceQpn: a.qp.qpn, byteLength: GRH_BYTES + 8 });
    expect(readGrh(b.mr.bytes).destGid).toBe(`::ffff:${group}`);
    b.qp.detachMulticast(group);
    // A second leave fails.
    expect(
      thrown(() => {
        b.qp.detachMulticast(group);
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_detach_mcast' });
    expect(ctx.attributes.maxMcastGroups).toBeGreaterThan(0);
  });

  it('is for UD and for group addresses', () => {
    using two = datagrams();
    expect(
      thrown(() => {
        two.a.qp.attachMulticast('127.0.0.1');
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_attach_mcast' });
    const rc = two.pd.createQp({ sendCq: two.a.cq });
    expect(
      thrown(() => {
        rc.attachMulticast('239.1.2.3');
      }).code,
    ).toBe('EINVAL');
  });
});

describe('UC', () => {
  it('WRITEs and SENDs without acknowledgment, and cannot READ', async () => {
    const ctx = openDevice(DEVICE);
    const pd = ctx.allocPd();
    const cq = ctx.createCq({ depth: 16 });
    const [a, b] = [pd.createQp({ type: 'UC', sendCq: cq }), pd.createQp({ type: 'UC', sendCq: cq })];
    join(a, b);
    expect(a.query().access).not.toContain('REMOTE_READ');
    const [mine, theirs] = [pd.regMr(64), pd.regMr(64)];
    mine.bytes.fill(7);
    b.postRecv({ wrId: 2 });
    a.postSend({
      opcode: 'RDMA_WRITE_WITH_IMM',
      immediate: 3,
      wrId: 1,
      local: mine.sge(),
      remote: theirs.remote(),
    });
    const done = await cq.wait(2, WAIT);
    expect(done.map((wc) => wc.opcode).sort()).toEqual(['RDMA_WRITE', 'RECV_RDMA_WITH_IMM']);
    expect(theirs.bytes.every((byte) => byte === 7)).toBe(true);
    a.postSend({ opcode: 'RDMA_READ', local: mine.sge(), remote: theirs.remote() });
    await expect(cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_LOC_QP_OP_ERR' });
    ctx.closeAll();
  });
});
