import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess, pair, thrown } from './helpers.js';

describe('extensions', () => {
  it('capture the packets of a WRITE', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    extensions.tapStart({ maxPackets: 100 });
    expect(
      thrown(() => {
        extensions.tapStart();
      }),
    ).toMatchObject({ code: 'EBUSY', call: 'uroce_tap_start' });
    two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 10_000), remote: two.b.mr.remote() });
    await two.a.cq.wait();
    extensions.tapStop();
    const { packets, dropped } = extensions.tapRead();
    expect(dropped).toBe(0);
    // MTU 4096: First, Middle, Last, each sent and received, and an ACK back.
    const opcodes = packets.filter(({ direction }) => direction === 'tx').map(({ bytes }) => bytes[28]);
    expect(opcodes).toEqual([0x06, 0x07, 0x08, 0x11]);
    expect(
      packets.every(
        ({ badIcrc, fault, bytes, originalLength }) =>
          !badIcrc && fault === 'none' && bytes.length === originalLength,
      ),
    ).toBe(true);
    expect(packets.map(({ seq }) => seq)).toEqual(packets.map((_, i) => packets[0]!.seq + i));
    expect(
      thrown(() => {
        extensions.tapStop();
      }).code,
    ).toBe('ENOENT');
  });

  it('write a pcapng file', async () => {
    using two = pair();
    const folder = mkdtempSync(path(tmpdir(), 'verbs-'));
    const file = path(folder, 'capture.pcapng');
    two.ctx.extensions.pcapOpen(file);
    two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 64), remote: two.b.mr.remote() });
    await two.a.cq.wait();
    two.ctx.extensions.pcapClose();
    expect(readFileSync(file).readUInt32LE(0)).toBe(0x0a0d0d0a);
    expect(
      thrown(() => {
        two.ctx.extensions.pcapOpen('/nowhere/at/all');
      }),
    ).toMatchObject({ code: 'ENOENT' });
    rmSync(folder, { recursive: true });
  });

  it('choose the policy of a queue pair, and tell what its law does', async () => {
    using two = pair({ memory: 1 << 20 }, ({ extensions }, qp) => {
      const before = extensions.policy(qp);
      expect(before).toMatchObject({ recovery: 'go-back-n', congestion: 'none', lineRate: 0, window: 0 });
      const unknown = { congestion: 'bbr' as 'none' };
      expect(thrown(() => extensions.setPolicy(qp, unknown))).toMatchObject({ code: 'EINVAL' });
      extensions.setPolicy(qp, { recovery: 'go-back-0', congestion: 'dcqcn-nic', lineRate: 25e9 });
    });
    const { extensions } = two.ctx;
    const state = () => extensions.policy(two.a.qp);
    const chosen = { recovery: 'go-back-0', congestion: 'dcqcn-nic', lineRate: 25e9 };
    expect(state()).toMatchObject({ ...chosen, rate: 0, target: 0, alphaPpm: 0, cnps: 0, marks: 0 });
    expect(thrown(() => extensions.setPolicy(two.a.qp, {}))).toMatchObject({ code: 'EINVAL' });
    extensions.setFaults({ rates: { mark: 1 } });
    // The rate returns within milliseconds, in which a busy machine may not let this thread run.
    for (let now = state(); now.rate === 0; now = state()) {
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(), remote: two.b.mr.remote() });
      await two.a.cq.wait();
    }
    extensions.setFaults();
    const { cnps } = state();
    expect(cnps).toBeGreaterThan(0);
    expect(extensions.policy(two.b.qp).marks).toBeGreaterThanOrEqual(cnps);
    const delayed = two.pd.createQp({ sendCq: two.a.cq });
    extensions.setPolicy(delayed, { congestion: 'swift' });
    expect(extensions.policy(delayed)).toMatchObject({ recovery: 'go-back-n', congestion: 'swift', rate: 0 });
  });

  it('tell which recovery is in effect, which the peer decides too', async () => {
    for (const peer of ['go-back-n', 'selective-repeat'] as const) {
      let qps = 0;
      // The first end always asks for selective repeat.
      using two = pair({ memory: 4096 }, ({ extensions }, qp) => {
        extensions.setPolicy(qp, { recovery: qps++ === 0 ? 'selective-repeat' : peer });
      });
      const { extensions } = two.ctx;
      const asked = { recovery: 'selective-repeat' };
      expect(extensions.policy(two.a.qp)).toMatchObject({ ...asked, recoveryInEffect: 'go-back-n' });
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(), remote: two.b.mr.remote() });
      await two.a.cq.wait();
      expect(extensions.policy(two.a.qp)).toMatchObject({ ...asked, recoveryInEffect: peer });
      expect(extensions.policy(two.b.qp)).toMatchObject({ recovery: peer, recoveryInEffect: peer });
    }
  });

  it('make the link longer and slower', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    const ms = async (length: number): Promise<number> => {
      const begin = performance.now();
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, length), remote: two.b.mr.remote() });
      expect(await two.a.cq.wait()).toMatchObject([{ status: 'SUCCESS' }]);
      return performance.now() - begin;
    };
    extensions.setFaults({ shaping: { delayUs: 20_000 } });
    // Round trip: both queue pairs are in this process.
    expect(await ms(64)).toBeGreaterThanOrEqual(40);
    // 1,024 B take 40 ms.
    extensions.setFaults({ shaping: { rateBps: 200_000 } });
    expect(await ms(1024)).toBeGreaterThanOrEqual(40);
    expect(extensions.faults()).toMatchObject({ dropped: 0, delayed: 0 });
    extensions.setFaults();
    expect(
      thrown(() => {
        extensions.setFaults({ shaping: { delayUs: 5, jitterUs: 6 } });
      }).message,
    ).toContain('shaping.jitterUs');
  });

  it('send a packet byte by byte, which the other end takes for one of its peer', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    const write = () => {
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 64), remote: two.b.mr.remote() });
    };
    two.a.mr.bytes.fill(7, 0, 64);
    extensions.tapStart();
    extensions.setFaults({ rules: [{ action: 'drop', qpn: two.b.qp.qpn }] });
    write();
    const [held] = extensions.tapRead().packets;
    expect(held).toMatchObject({ direction: 'tx', fault: 'drop' });
    expect(two.b.mr.bytes[0]).toBe(0);
    // Behind the IPv4 and UDP headers.
    const packet = held!.bytes.slice(28);
    const spoiled = Uint8Array.from(packet);
    spoiled[spoiled.length - 1]! ^= 1;
    const { icrc_errors: wrong = 0 } = extensions.counters();
    extensions.sendPacket(two.a.qp, spoiled);
    await expect.poll(() => extensions.counters().icrc_errors).toBe(wrong + 1);
    expect(two.b.mr.bytes[0]).toBe(0);
    extensions.sendPacket(two.a.qp, packet);
    expect(await two.a.cq.wait()).toMatchObject([{ status: 'SUCCESS' }]);
    expect(two.b.mr.bytes[63]).toBe(7);
    extensions.setFaults();
    extensions.tapStop();
    expect(
      thrown(() => {
        extensions.sendPacket(two.a.qp, packet.subarray(0, 15));
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'uroce_send_packet' });
  });

  it('drop a packet once, and the QP recovers', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    extensions.setFaults({ rules: [{ action: 'drop', qpn: two.b.qp.qpn, times: 1 }] });
    two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 64), remote: two.b.mr.remote() });
    expect(await two.a.cq.wait()).toMatchObject([{ status: 'SUCCESS' }]);
    expect(extensions.faults()).toMatchObject({ dropped: 1 });
    extensions.setFaults({ rates: { mark: 1 } });
    two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(0, 64), remote: two.b.mr.remote() });
    expect(await two.a.cq.wait()).toMatchObject([{ status: 'SUCCESS' }]);
    expect(extensions.faults().marked).toBeGreaterThan(0);
    extensions.setFaults({ rates: { drop: 0.5, seed: 7 } });
    expect(extensions.faults().seed).toBe(7n);
    extensions.setFaults();
    expect(
      thrown(() => {
        extensions.setFaults({ rates: { drop: 2 } });
      }).message,
    ).toContain('rates.drop');
    expect(
      thrown(() => {
        extensions.setFaults({ rules: [{ action: 'eat' as never }] });
      }).hint,
    ).toContain('corrupt');
  });

  it('stamp the life of a work request', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    extensions.stampsStart();
    const before = process.hrtime.bigint();
    two.a.qp.postSend({
      opcode: 'RDMA_WRITE',
      wrId: 99,
      local: two.a.mr.sge(0, 4096),
      remote: two.b.mr.remote(),
    });
    await two.a.cq.wait();
    const after = process.hrtime.bigint();
    extensions.stampsStop();
    const { stamps } = extensions.stampsRead();
    expect(stamps).toMatchObject([
      { wrId: 99n, qpn: two.a.qp.qpn, opcode: 'RDMA_WRITE', byteLength: 4096, status: 'SUCCESS' },
    ]);
    const { postedNs, firstTxNs, lastTxNs, ackedNs, cqeNs, polledNs } = stamps[0]!;
    const times = [before, postedNs, firstTxNs, lastTxNs, ackedNs, cqeNs, polledNs, after];
    expect(times).toEqual([...times].sort((x, y) => Number(x - y)));
  });

  it('count packets, CPU time and pinned memory', async () => {
    using two = pair();
    const { extensions } = two.ctx;
    const before = { counters: extensions.counters(), cpu: extensions.cpu() };
    for (let i = 0; i < 50; i++) {
      two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(), remote: two.b.mr.remote() });
      await two.a.cq.wait();
    }
    const after = { counters: extensions.counters(), cpu: extensions.cpu() };
    expect(after.counters['sent_pkts']! - before.counters['sent_pkts']!).toBeGreaterThanOrEqual(50 * 17);
    expect(after.cpu.engineUserNs).toBeGreaterThan(before.cpu.engineUserNs);
    expect(extensions.pinned()).toMatchObject({ regions: 2 });
  });

  it('say which link a queue pair takes', () => {
    using two = pair();
    const { extensions, device } = two.ctx;
    expect(device.capabilities.link).toBe(true);
    // Both ends are in this process, which uses rings by default.
    expect(extensions.qpLink(two.a.qp)).toBe('shm');
    expect(
      thrown(() => {
        extensions.setQpLink(two.a.qp, 'shm' as never);
      }),
    ).toMatchObject({ code: 'EINVAL', call: 'uroce_set_qp_link' });
  });

  it('choose the link of each queue pair in a process that has rings', async () => {
    const source = `import { pair } from './test/helpers.ts';
      for (const link of ['auto', 'udp']) {
        const two = pair({}, (ctx, qp) => ctx.extensions.setQpLink(qp, link));
        const { extensions } = two.ctx;
        while (extensions.qpLink(two.a.qp) === null);
        const sent = () => extensions.counters()['shm_packets_out'];
        const before = sent();
        two.a.qp.postSend({ opcode: 'RDMA_WRITE', local: two.a.mr.sge(), remote: two.b.mr.remote() });
        await two.a.cq.wait();
        console.log(link, extensions.qpLink(two.a.qp), sent() - before);
        two.ctx.closeAll();
      }`;
    const { stdout, stderr } = await inProcess(source, { UROCE_LINK: 'auto' });
    // 64 KiB in packets of 4 KiB, and the ACK.
    expect(stdout, stderr).toBe('auto shm 17\nudp udp 0\n');
  });
});
