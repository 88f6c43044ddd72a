import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDevice, type Access } from '../src/index.js';
import { DEVICE, pair, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };

describe('access flags', () => {
  it.each<[Access[], string | null]>([
    [['LOCAL_WRITE', 'REMOTE_READ', 'MW_BIND'], null],
    [['LOCAL_WRITE', 'RELAXED_ORDERING'], null],
    [['LOCAL_WRITE', 'HUGETLB'], null],
    [['LOCAL_WRITE', 'ZERO_BASED'], null],
    [['LOCAL_WRITE', 'ON_DEMAND'], 'EOPNOTSUPP'],
    [['MW_BIND', 'REMOTE_ATOMIC'], 'EINVAL'],
  ])('%j', (access, code) => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    if (code === null) {
      using mr = pd.regMr(64, access);
      expect(mr.access).toEqual(access);
    } else {
      expect(thrown(() => pd.regMr(64, access))).toMatchObject({ code, call: 'ibv_reg_mr' });
    }
  });

  it('ZERO_BASED: addresses begin at 0, here and at the peer', async () => {
    using two = pair();
    const { a, b, pd } = two;
    const theirs = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_WRITE', 'ZERO_BASED']);
    const mine = pd.regMr(64, ['LOCAL_WRITE', 'ZERO_BASED']);
    expect(theirs.remote(16)).toEqual({ addr: 16n, rkey: theirs.rkey, length: 48 });
    mine.bytes.fill(3);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: mine.sge(8, 4), remote: theirs.remote(16) });
    await a.cq.wait(1, WAIT);
    expect(Array.from(theirs.bytes.subarray(15, 21))).toEqual([0, 3, 3, 3, 3, 0]);
    expect(b.qp.state).toBe('RTS');
  });
});

describe('huge pages', () => {
  const file = '/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages';
  const free = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;

  it('are allocated where there are free ones, and refused with the remedy where not', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    const register = () => pd.regMr(3 << 20, undefined, { hugePages: true });
    if (free >= 2) {
      using mr = register();
      expect(mr.addr % (2n << 20n)).toBe(0n);
      expect(mr.length).toBe(3 << 20);
      mr.bytes.fill(1);
    } else {
      const error = thrown(register);
      expect(error.code).toMatch(/^(ENOMEM|EOPNOTSUPP)$/);
      expect(error.call).toBe('mmap(MAP_HUGETLB)');
      expect(error.hint).toMatch(/huge pages/);
    }
  });

  it('are for memory that the library allocates', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    const error = thrown(() => pd.regMr(new Uint8Array(64), undefined, { hugePages: true }));
    expect(error).toMatchObject({
      code: 'EINVAL',
      hint: expect.stringContaining('number of bytes') as string,
    });
  });
});

describe('replacePages', () => {
  it('gives the process other pages at the same address, and keeps the registration', async () => {
    using two = pair();
    const { a, b } = two;
    const { addr, rkey } = b.mr;
    b.mr.bytes.fill(5);
    b.mr.replacePages();
    expect(b.mr.bytes.every((byte) => byte === 0)).toBe(true);
    expect(b.mr).toMatchObject({ addr, rkey });
    a.mr.bytes.fill(6);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote: b.mr.remote() });
    const [wc] = await a.cq.wait(1, WAIT);
    expect(wc).toMatchObject({ status: 'SUCCESS' });
  });

  it('is refused for memory of the caller', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    using mr = pd.regMr(new Uint8Array(64));
    expect(thrown(() => mr.replacePages())).toMatchObject({ code: 'EINVAL' });
  });
});

describe('rereg', () => {
  it('changes rights: what was allowed is refused', async () => {
    using two = pair();
    const { a, b } = two;
    b.mr.rereg({ access: ['LOCAL_WRITE', 'REMOTE_READ'] });
    expect(b.mr.access).toEqual(['LOCAL_WRITE', 'REMOTE_READ']);
    const remote = b.mr.remote();
    a.qp.postSend({ opcode: 'RDMA_READ', local: a.mr.sge(0, 8), remote });
    await a.cq.wait(1, WAIT);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote });
    await expect(a.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR' });
  });

  it('changes memory: the old is gone, the new is reached', async () => {
    using two = pair();
    const { a, b } = two;
    const old = b.mr.bytes;
    b.mr.rereg({ memory: 8192 });
    expect(old.byteLength).toBe(0);
    expect(b.mr).toMatchObject({ length: 8192 });
    expect(b.mr.bytes.byteLength).toBe(8192);
    a.mr.bytes.fill(6);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8192), remote: b.mr.remote() });
    await a.cq.wait(1, WAIT);
    expect(b.mr.bytes.every((byte) => byte === 6)).toBe(true);
    const own = new Uint8Array(100);
    b.mr.rereg({ memory: own.subarray(10, 20) });
    expect(b.mr.length).toBe(10);
    b.mr.bytes[0] = 1;
    expect(own[10]).toBe(1);
    // Memory of the caller stays.
    b.mr.close();
    expect(own.byteLength).toBe(100);
  });

  it('moves to another protection domain, which closes it', async () => {
    using two = pair();
    const { a, b, ctx, pd } = two;
    const other = ctx.allocPd();
    const { mr } = b;
    mr.rereg({ pd: other });
    expect(mr.pd).toBe(other);
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(0, 8), remote: mr.remote() });
    await expect(a.cq.wait(1, WAIT)).rejects.toMatchObject({ code: 'WC_REM_ACCESS_ERR' });
    expect(
      thrown(() => {
        other.close();
      }).code,
    ).toBe('EBUSY');
    pd.closeAll();
    expect(mr.closed).toBe(false);
    other.closeAll();
    expect(mr.closed).toBe(true);
  });

  it('refuses nothing, wrong rights and a bound region, and changes nothing then', async () => {
    using two = pair();
    const { b, pd } = two;
    const refused = (change: object) =>
      thrown(() => {
        b.mr.rereg(change);
      });
    expect(refused({})).toMatchObject({ code: 'EINVAL', call: 'ibv_rereg_mr' });
    expect(refused({ access: ['REMOTE_WRITE'] })).toMatchObject({ code: 'EINVAL' });
    expect(refused({ pd: {} }).message).toContain('pd');
    expect(refused({ memory: 0 }).message).toContain('memory');
    const region = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_READ', 'MW_BIND']);
    const mw = pd.allocMw(1);
    b.qp.bindMw(mw, { mr: region, access: ['REMOTE_READ'] });
    await b.cq.wait(1, WAIT);
    expect(
      thrown(() => {
        region.rereg({ memory: 128 });
      }),
    ).toMatchObject({ code: 'EBUSY', hint: expect.stringContaining('memory window') as string });
    expect(region.length).toBe(64);
    region.bytes[63] = 1;
  });
});
