import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

const WAIT = 5000;

/** An endpoint with a PD, a CQ and a region of 4 KiB. */
async function open() {
  const recording = new Recording();
  const endpoint = await testEndpoint(recording, 'client');
  const { pd } = await endpoint.call('allocPd', {});
  const { cq } = await endpoint.call('createCq', { depth: 64 });
  const region = await endpoint.call('regMr', {
    pd,
    length: 4096,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC', 'MW_BIND'],
  });
  const wait = async (count = 1) =>
    (await endpoint.call('waitCq', { cq, count, timeoutMs: WAIT })).completions;
  /** Two queue pairs, connected to each other. */
  const connect = async (options: object = {}) => {
    const a = await endpoint.call('createQp', { pd, sendCq: cq, ...options });
    const b = await endpoint.call('createQp', { pd, sendCq: cq, ...options });
    await endpoint.call('connectQp', { qp: a.qp, remote: b.info });
    await endpoint.call('connectQp', { qp: b.qp, remote: a.info });
    return { a, b };
  };
  return { recording, endpoint, pd, cq, region, wait, connect, mr: region.mr };
}

describe('an endpoint', () => {
  it('sends datagrams to a queue pair and to a group', async () => {
    const { endpoint, recording, pd, cq, wait, mr } = await open();
    const make = async () => endpoint.call('createQp', { pd, type: 'UD', sendCq: cq });
    const [a, b] = [await make(), await make()];
    expect(await endpoint.call('activateQp', { qp: a.qp })).toEqual({ state: 'RTS' });
    await endpoint.call('activateQp', { qp: b.qp, qkey: 0x2222 });
    const group = '::ffff:239.1.2.3';
    await endpoint.call('attachMulticast', { qp: b.qp, gid: group });
    for (const [gid, remoteQpn] of [
      [b.info.gid, b.info.qpn],
      [group, 0xff_ffff],
    ] as const) {
      const { ah } = await endpoint.call('createAh', { pd, gid });
      await endpoint.call('postRecv', { qp: b.qp, wr: { local: [{ mr, offset: 2048, length: 512 }] } });
      const to = { ah, remoteQpn, remoteQkey: 0x2222 };
      await endpoint.call('postSend', {
        qp: a.qp,
        wr: { opcode: 'SEND', local: [{ mr, length: 9 }], ...to },
      });
      const received = (await wait(2)).find(({ opcode }) => opcode === 'RECV')!;
      expect(received).toMatchObject({ byteLen: 49, srcQp: a.info.qpn, statusName: 'SUCCESS' });
      const grh = await endpoint.call('readGrh', { mr, offset: 2048 });
      expect(grh).toMatchObject({ version: 4, sourceGid: a.info.gid, destGid: gid });
    }
    await endpoint.call('detachMulticast', { qp: b.qp, gid: group });
    await endpoint.close(2000);
    expect(recording.calls()).toEqual(expect.arrayContaining(['ibv_attach_mcast', 'ibv_destroy_ah']));
    expect(recording.of('qp').map(({ to }) => to)).toEqual(expect.arrayContaining(['INIT', 'RTR', 'RTS']));
  });

  it('writes over UC, without the attributes of RC', async () => {
    const { endpoint, connect, region, wait, mr } = await open();
    const { a } = await connect({ type: 'UC' });
    const remote = { addr: region.addr, rkey: region.rkey };
    await endpoint.call('postSend', {
      qp: a.qp,
      wr: { opcode: 'RDMA_WRITE', local: [{ mr, length: 8 }], remote },
    });
    expect(await wait()).toMatchObject([{ statusName: 'SUCCESS' }]);
  });

  it('shares receives, and tells when they run low', async () => {
    const { endpoint, recording, pd, cq, wait } = await open();
    const { srq, maxWr } = await endpoint.call('createSrq', { pd, maxWr: 4 });
    expect(maxWr).toBeGreaterThanOrEqual(4);
    const client = await endpoint.call('createQp', { pd, sendCq: cq });
    const server = await endpoint.call('createQp', { pd, sendCq: cq, srq });
    await endpoint.call('connectQp', { qp: client.qp, remote: server.info });
    await endpoint.call('connectQp', { qp: server.qp, remote: client.info });
    for (const wrId of [1, 2]) await endpoint.call('postSrqRecv', { srq, wr: { wrId } });
    await endpoint.call('modifySrq', { srq, limit: 2 });
    expect(await endpoint.call('querySrq', { srq })).toMatchObject({ limit: 2 });
    expect(await endpoint.call('waitAsync', { timeoutMs: 0 })).toEqual({ events: [] });
    const event = endpoint.call('waitAsync', { timeoutMs: WAIT });
    await endpoint.call('postSend', { qp: client.qp, wr: { opcode: 'SEND' } });
    expect((await wait(2)).map(({ opcode }) => opcode).sort()).toEqual(['RECV', 'SEND']);
    expect(await event).toEqual({ events: [{ event: 'SRQ_LIMIT_REACHED', srq }] });
    expect(recording.of('async')).toMatchObject([{ event: 'SRQ_LIMIT_REACHED', srq }]);
    expect(recording.calls().filter((call) => call.endsWith('_async_event'))).toEqual([
      'ibv_get_async_event',
      'ibv_ack_async_event',
    ]);
  });

  it('opens and closes windows of both types', async () => {
    const { endpoint, connect, pd, region, wait, mr } = await open();
    const { a, b } = await connect();
    const read = async (rkey: number) => {
      const remote = { addr: region.addr, rkey };
      await endpoint.call('postSend', {
        qp: a.qp,
        wr: { opcode: 'RDMA_READ', local: [{ mr, length: 8 }], remote },
      });
      return (await wait())[0]!.statusName;
    };
    const first = await endpoint.call('allocMw', { pd, type: 1 });
    const bound = await endpoint.call('bindMw', { qp: b.qp, mw: first.mw, mr, length: 64 });
    await wait();
    expect(bound.rkey).not.toBe(first.rkey);
    expect(await read(bound.rkey)).toBe('SUCCESS');
    const second = await endpoint.call('allocMw', { pd, type: 2 });
    await endpoint.call('postSend', { qp: b.qp, wr: { opcode: 'BIND_MW', bind: { mw: second.mw, mr } } });
    expect(await wait()).toMatchObject([{ opcode: 'BIND_MW', statusName: 'SUCCESS' }]);
    const { rkey } = await endpoint.call('queryMw', { mw: second.mw });
    expect(await read(rkey)).toBe('SUCCESS');
    await endpoint.call('postRecv', { qp: b.qp, wr: {} });
    await endpoint.call('postSend', { qp: a.qp, wr: { opcode: 'SEND_WITH_INV', invalidateRkey: rkey } });
    expect((await wait(2)).find(({ opcode }) => opcode === 'RECV')).toMatchObject({ invalidatedRkey: rkey });
    expect(await read(rkey)).toBe('REM_ACCESS_ERR');
    await endpoint.call('destroy', { what: 'mw', handle: second.mw });
  });

  it('posts lists, atomics among them, both ways', async () => {
    const { endpoint, connect, region, wait, mr } = await open();
    const { a } = await connect({ extended: true });
    const remote = { addr: region.addr, rkey: region.rkey };
    const local = [{ mr, offset: 64, length: 8 }];
    const wrs = [
      { opcode: 'ATOMIC_FETCH_AND_ADD', wrId: 1, local, remote, add: '0x5' },
      { opcode: 'ATOMIC_CMP_AND_SWP', wrId: 2, local, remote, compare: '0x5', swap: '0x9' },
    ] as const;
    await endpoint.call('postSendList', { qp: a.qp, wrs: [...wrs] });
    expect((await wait(2)).map(({ opcode }) => opcode)).toEqual(['FETCH_ADD', 'COMP_SWAP']);
    await endpoint.call('postSendList', { qp: a.qp, extended: true, wrs: [wrs[0]] });
    await wait();
    const { base64 } = await endpoint.call('readMemory', { mr, offset: 64, length: 8 });
    expect(Buffer.from(base64, 'base64').readBigUint64LE()).toBe(9n);
  });

  it('changes a region and a CQ in place', async () => {
    const { endpoint, recording, cq, mr } = await open();
    const changed = await endpoint.call('reregMr', { mr, length: 8192, access: ['LOCAL_WRITE'] });
    expect(changed).toMatchObject({ mr, length: 8192 });
    await endpoint.call('fillMemory', { mr, offset: 0, length: 8192, seed: 1 });
    expect((await endpoint.call('resizeCq', { cq, depth: 200 })).depth).toBeGreaterThanOrEqual(200);
    expect(recording.calls()).toEqual(expect.arrayContaining(['ibv_rereg_mr', 'ibv_resize_cq']));
  });
});
