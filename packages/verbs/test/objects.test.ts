import { describe, expect, it } from 'vitest';
import { openDevice, VerbsError } from '../src/index.js';
import { DEVICE, inProcess, pair, thrown } from './helpers.js';

const TIB = 2 ** 40;

describe('attributes of queue pairs', () => {
  it('take no number that would arrive as another', () => {
    using two = pair();
    const { native } = two.a.qp;
    for (const [field, value] of [
      ['timeout', 300],
      ['pkeyIndex', 65_536],
      ['minRnrTimer', -1],
      ['rqPsn', 2 ** 32],
    ] as const)
      expect(() => native.modify({ [field]: value })).toThrow(`${field} must be from 0 to`);
  });
});

describe('memory regions', () => {
  it('show the memory that was allocated', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    const mr = pd.regMr(5000);
    expect(mr).toMatchObject({ length: 5000, closed: false });
    expect(mr.addr % 4096n).toBe(0n);
    expect(mr.bytes.every((byte) => byte === 0)).toBe(true);
    expect(mr.remote(100)).toEqual({ addr: mr.addr + 100n, rkey: mr.rkey, length: 4900 });
    const { bytes } = mr;
    mr.close();
    mr.close();
    expect(mr.closed).toBe(true);
    expect(bytes.byteLength).toBe(0);
  });

  it('take memory of the caller, at its place', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    for (const memory of [
      new ArrayBuffer(64),
      Buffer.alloc(64),
      new Float64Array(8),
      new Uint8Array(new SharedArrayBuffer(64)),
    ]) {
      using mr = pd.regMr(memory);
      expect(mr.length).toBe(64);
      mr.bytes[3] = 42;
      const view = ArrayBuffer.isView(memory)
        ? new Uint8Array(memory.buffer, memory.byteOffset)
        : new Uint8Array(memory);
      expect(view[3]).toBe(42);
    }
    const whole = new Uint8Array(256);
    using part = pd.regMr(whole.subarray(100, 120));
    using all = pd.regMr(whole);
    expect(part.addr).toBe(all.addr + 100n);
  });

  it.each([
    ['0 bytes', 0, 'EINVAL', /1 byte/],
    ['no bytes of memory', new Uint8Array(0), 'EINVAL', /1 byte/],
    ['half a byte', 0.5, 'EINVAL', /1 byte/],
    ['1 TiB', TIB, 'ENOMEM', /./],
    ['more than a device takes', 1e300, 'EINVAL', /less memory/],
    ['a text', 'memory', 'EINVAL', /ArrayBuffer/],
    ['nothing', undefined, 'EINVAL', /ArrayBuffer/],
  ])('refuse %s', (_, memory, code, hint) => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    const error = thrown(() => pd.regMr(memory as never));
    expect(error).toBeInstanceOf(VerbsError);
    expect(error).toMatchObject({ code });
    expect(error.hint).toMatch(hint);
    expect(error.message).toMatch(/\.$/);
  });

  it('refuse rights that do not exist or do not go together', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    expect(thrown(() => pd.regMr(64, ['WRITE' as never])).hint).toContain('REMOTE_WRITE');
    expect(thrown(() => pd.regMr(64, ['REMOTE_WRITE']))).toMatchObject({
      code: 'EINVAL',
      call: 'ibv_reg_mr',
    });
  });

  it('say what to do when memory may not be pinned', async () => {
    // An ordinary user with 64 KiB of locked memory; root is exempt, so the limit is tried without its capability.
    const source = `import { openDevice } from './src/index.ts';
      const pd = openDevice('${DEVICE}').allocPd();
      try { pd.regMr(1 << 20); console.log('pinned'); }
      catch (error) { console.log(error.code, error.call, error.hint); }`;
    const script = `ulimit -l 64; exec "$0" "$@"`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', source];
    const { execFileSync } = await import('node:child_process');
    const root = process.getuid?.() === 0;
    const [program, rest] = root
      ? [
          'setpriv',
          [
            '--bounding-set',
            '-ipc_lock',
            '--inh-caps',
            '-ipc_lock',
            'bash',
            '-c',
            script,
            process.execPath,
            ...args,
          ],
        ]
      : ['bash', ['-c', script, process.execPath, ...args]];
    const out = execFileSync(program, rest, {
      cwd: new URL('../', import.meta.url),
      env: { ...process.env, UROCE_STRICT_MEMLOCK: '1' },
      encoding: 'utf8',
    });
    expect(out).toMatch(/^ENOMEM ibv_reg_mr .*ulimit -l/);
  });
});

describe('completion queues', () => {
  it.each([0, -1, 1.5, 1e12, '16'])('refuse a depth of %s', (depth) => {
    using ctx = openDevice(DEVICE);
    expect(thrown(() => ctx.createCq({ depth: depth as never }))).toMatchObject({ code: 'EINVAL' });
  });

  it('hold at least what was asked for', () => {
    using ctx = openDevice(DEVICE);
    using cq = ctx.createCq({ depth: 100, channel: null });
    expect(cq.depth).toBeGreaterThanOrEqual(100);
    expect(cq.poll()).toEqual([]);
  });
});

describe('queue pairs', () => {
  it('go from RESET to RTS, and tell what they are', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    using cq = ctx.createCq({ depth: 16 });
    using qp = pd.createQp({ sendCq: cq, maxSendWr: 10, maxInlineData: 32 });
    using peer = pd.createQp({ sendCq: cq });
    expect(qp.state).toBe('RESET');
    expect(qp.capabilities.maxSendWr).toBeGreaterThanOrEqual(10);
    const info = qp.info();
    expect(JSON.parse(JSON.stringify(info))).toEqual(info);
    expect(info.qpn).toBe(qp.qpn);
    qp.toInit();
    expect(qp.state).toBe('INIT');
    qp.toRtr(peer.info(), { mtu: 1024 });
    expect(qp.state).toBe('RTR');
    qp.toRts({ timeout: 10, retryCount: 3 });
    expect(qp.query()).toMatchObject({
      state: 'RTS',
      pathMtu: 1024,
      destQpn: peer.qpn,
      sqPsn: info.psn,
      timeout: 10,
      retryCount: 3,
    });
    qp.modify({ state: 'ERR' });
    expect(qp.state).toBe('ERR');
  });

  it('refuse wrong steps and wrong values', () => {
    using ctx = openDevice(DEVICE);
    using pd = ctx.allocPd();
    using cq = ctx.createCq({ depth: 16 });
    using qp = pd.createQp({ sendCq: cq });
    expect(
      thrown(() => {
        qp.toRts();
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_modify_qp' });
    expect(
      thrown(() => {
        qp.modify({ state: 'GONE' as never });
      }).hint,
    ).toContain('RTS');
    expect(
      thrown(() => {
        qp.toRtr({ qpn: 2 ** 24, psn: 0, gid: '::1' });
      }).message,
    ).toContain('destQpn');
    expect(thrown(() => pd.createQp({ sendCq: pd as never })).hint).toContain('Cq');
    expect(thrown(() => pd.createQp({ sendCq: cq, maxSendWr: 1e9 })).message).toContain('maxSendWr');
    expect(
      thrown(() => {
        qp.postSend({ opcode: 'SEND' });
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'ibv_post_send' });
  });

  it('say when a queue is full, and how much was taken', () => {
    using two = pair({ maxSendWr: 4 });
    const { maxSendWr } = two.a.qp.capabilities;
    const wr = {
      opcode: 'RDMA_WRITE',
      local: two.a.mr.sge(0, 8),
      remote: two.b.mr.remote(),
      signaled: false,
    } as const;
    const error = thrown(() => {
      two.a.qp.postSend(Array.from({ length: maxSendWr + 3 }, () => wr));
    });
    expect(error).toMatchObject({ code: 'ENOMEM', call: 'ibv_post_send' });
    expect(error.message).toContain(`${maxSendWr} of ${maxSendWr + 3} were taken`);
    expect(error.hint).toContain('poll');
  });

  it.each([
    [{ opcode: 'PUT' }, 'opcode'],
    [{ opcode: 'RDMA_WRITE' }, 'remote'],
    [{ opcode: 'SEND', wrId: -1 }, 'wrId'],
    [{ opcode: 'SEND_WITH_IMM', immediate: 2 ** 32 }, 'immediate'],
    [{ opcode: 'SEND', local: { mr: {} } }, 'local.mr'],
  ])('refuse %j', (wr, param) => {
    using two = pair();
    expect(
      thrown(() => {
        two.a.qp.postSend(wr as never);
      }).message,
    ).toContain(param);
  });
});

describe('the order of closing', () => {
  it('is children first: others are busy', () => {
    const ctx = openDevice(DEVICE);
    const pd = ctx.allocPd();
    const channel = ctx.createCompChannel();
    const cq = ctx.createCq({ depth: 16, channel });
    const qp = pd.createQp({ sendCq: cq });
    const mr = pd.regMr(64);
    for (const parent of [ctx, pd, channel, cq])
      expect(
        thrown(() => {
          parent.close();
        }),
      ).toMatchObject({ code: 'EBUSY' });
    for (const object of [qp, mr, cq, channel, pd, ctx]) {
      object.close();
      object.close();
      expect(object.closed).toBe(true);
    }
    for (const call of [
      () => ctx.allocPd(),
      () => pd.regMr(64),
      () => cq.poll(),
      () => qp.query(),
      () => ctx.queryPort(),
    ])
      expect(thrown(call)).toMatchObject({ code: 'EBADF' });
  });

  it('is found by closeAll()', () => {
    const { ctx, pd, a } = pair();
    ctx.closeAll();
    expect([ctx.closed, pd.closed, a.cq.closed, a.qp.closed, a.mr.closed]).toEqual(Array(5).fill(true));
  });

  it('is reversed by `using`, the shared channel included', () => {
    {
      using ctx = openDevice(DEVICE);
      using pd = ctx.allocPd();
      using cq = ctx.createCq({ depth: 16 });
      using qp = pd.createQp({ sendCq: cq });
      expect(qp.state).toBe('RESET');
    }
    openDevice(DEVICE).close();
  });
});

describe('native objects', () => {
  it('are not taken in by look-alikes', async () => {
    const { binding } = await import('../src/native/binding.js');
    expect(() => new binding.Pd({} as never)).toThrow(TypeError);
    expect(() => new binding.Context({} as never)).toThrow(TypeError);
    const { stdout } = await inProcess(`import { binding } from './src/native/binding.ts';
      const pd = Object.create(binding.Pd.prototype);
      try { pd.close(); } catch (error) { console.log(error.message !== ''); }
      try { binding.Cq.prototype.poll.call({}, 1); } catch (error) { console.log(error.message !== ''); }`);
    expect(stdout).toBe('true\ntrue\n');
  });
});
