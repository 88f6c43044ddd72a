import type { EndpointArgs, Move } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

async function build(recording: Recording, name: string) {
  const endpoint = await testEndpoint(recording, name);
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
  const { cq: sendCq } = await endpoint.call('createCq', { depth: 64 });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: 64, events: true });
  const { qp, info } = await endpoint.call('createQp', { pd, sendCq, recvCq });
  const perform = (moves: Move[], over: Partial<EndpointArgs<'performRounds'>> = {}) =>
    endpoint.call('performRounds', {
      ...{ qp, sendCq, recvCq, moves },
      ...{ rounds: 3, first: 0, wait: 'poll', timeoutMs: 5000 },
      ...over,
    });
  const bytes = async (offset: number, length: number): Promise<number[]> => {
    const { base64 } = await endpoint.call('readMemory', { mr: mr.mr, offset, length });
    return [...Buffer.from(base64, 'base64')];
  };
  return { endpoint, mr, qp, sendCq, recvCq, info, perform, bytes };
}

async function pair() {
  const recording = new Recording();
  const [client, server] = [await build(recording, 'client'), await build(recording, 'server')];
  await client.endpoint.call('connectQp', { qp: client.qp, remote: server.info });
  await server.endpoint.call('connectQp', { qp: server.qp, remote: client.info });
  return { client, server, recording };
}

const sent: Move = { move: 'sent', count: 1 };
const received: Move = { move: 'received', count: 1 };

describe('rounds of moves', () => {
  it.each(['poll', 'event'] as const)('send and receive (%s), one time per round', async (wait) => {
    const { client, server } = await pair();
    await server.endpoint.call('postRecv', { qp: server.qp, wr: {}, count: 3 });
    const [asked, answered] = await Promise.all([
      client.perform([{ move: 'post', wr: { opcode: 'SEND' } }, sent]),
      server.perform([received], { wait }),
    ]);
    expect(asked.timesNs).toHaveLength(3);
    expect(Math.min(...asked.timesNs)).toBeGreaterThan(0);
    expect([asked.received, answered.received]).toEqual([0, 3]);
  });

  it('mark memory with another byte in each round, which the peer sees', async () => {
    const { client, server } = await pair();
    const place = { mr: client.mr.mr, offset: 7 };
    const remote = { addr: server.mr.addr, rkey: server.mr.rkey };
    const wr = { opcode: 'RDMA_WRITE' as const, local: [{ mr: client.mr.mr, offset: 0, length: 8 }], remote };
    const back = { ...wr, remote: { addr: client.mr.addr, rkey: client.mr.rkey } };
    await Promise.all([
      client.perform([{ move: 'mark', ...place }, { move: 'post', wr }, sent, received], { first: 253 }),
      (async () => {
        await client.endpoint.call('postRecv', { qp: client.qp, wr: {}, count: 3 });
        const seen: Move = { move: 'marked', mr: server.mr.mr, offset: 7 };
        const reply: Move = {
          move: 'post',
          wr: { ...back, opcode: 'RDMA_WRITE_WITH_IMM', local: [{ mr: server.mr.mr, length: 0 }], imm: 1 },
        };
        await server.perform([seen, reply, sent], { first: 253 });
      })(),
    ]);
    // Rounds 253, 254 and 255: bytes 254, 255 and, since a mark is never 0, 1.
    expect(await server.bytes(7, 1)).toEqual([1]);
  });

  it('add words, and copy the sum', async () => {
    const { client } = await pair();
    const base64 = Buffer.from([5, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]).toString('base64');
    await client.endpoint.call('writeMemory', { mr: client.mr.mr, offset: 0, base64 });
    await client.perform([{ move: 'add', mr: client.mr.mr, offset: 0, from: 8, to: 16 }]);
    // 5 + 3 × 255 = 770 = 0x0302.
    expect(await client.bytes(0, 2)).toEqual([2, 3]);
    expect(await client.bytes(16, 2)).toEqual([2, 3]);
  });

  it('add float32 vectors, as float32', async () => {
    const { client } = await pair();
    const { mr } = client.mr;
    const base64 = Buffer.from(Float32Array.of(0.1, 1e8, -3, 0.2, 1, 3).buffer).toString('base64');
    await client.endpoint.call('writeMemory', { mr, offset: 0, base64 });
    await client.perform([{ move: 'add-floats', mr, offset: 64, a: 0, b: 12, count: 3 }], { rounds: 1 });
    const sums = new Float32Array(Uint8Array.from(await client.bytes(64, 12)).buffer);
    // A float32 has no room for 100,000,001.
    expect([...sums]).toEqual([Math.fround(Math.fround(0.1) + Math.fround(0.2)), 1e8, 0]);
    await expect(
      client.perform([{ move: 'add-floats', mr, offset: 0, a: 0, b: 4092, count: 2 }]),
    ).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(
      client.perform([{ move: 'add-floats', mr, offset: 2, a: 0, b: 0, count: 1 }]),
    ).rejects.toMatchObject({ code: 'BAD_MESSAGE' });
  });

  it('copy bytes within a region, also onto themselves', async () => {
    const { client } = await pair();
    const { mr } = client.mr;
    const base64 = Buffer.from([1, 2, 3, 4]).toString('base64');
    await client.endpoint.call('writeMemory', { mr, offset: 0, base64 });
    await client.perform(
      [
        { move: 'copy', mr, from: 0, offset: 100, length: 4 },
        { move: 'copy', mr, from: 0, offset: 1, length: 4 },
      ],
      { rounds: 1 },
    );
    expect(await client.bytes(100, 4)).toEqual([1, 2, 3, 4]);
    expect(await client.bytes(0, 5)).toEqual([1, 1, 2, 3, 4]);
    await expect(
      client.perform([{ move: 'copy', mr, from: 4000, offset: 0, length: 97 }]),
    ).rejects.toMatchObject({ code: 'LIMIT' });
  });

  it('use the queues that a move names', async () => {
    const { client, server } = await pair();
    await server.endpoint.call('postRecv', { qp: server.qp, wr: {}, count: 3 });
    const unused = (await client.endpoint.call('createCq', { depth: 1 })).cq;
    const [asked, answered] = await Promise.all([
      client.perform(
        [
          { move: 'post', qp: client.qp, wr: { opcode: 'SEND' } },
          { ...sent, cq: client.sendCq },
        ],
        {
          sendCq: unused,
        },
      ),
      server.perform([{ ...received, cq: server.recvCq }]),
    ]);
    expect([asked.timesNs.length, answered.received]).toEqual([3, 3]);
    await expect(client.perform([{ ...sent, cq: unused }], { timeoutMs: 50 })).rejects.toThrow(/ETIMEDOUT/);
  });

  it('end with what failed: a completion, or a wait for nothing', async () => {
    const { client, server } = await pair();
    const remote = { addr: server.mr.addr, rkey: (server.mr.rkey ^ 0xffff_ff00) >>> 0 };
    const local = [{ mr: client.mr.mr, offset: 0, length: 8 }];
    const wrong: Move = { move: 'post', wr: { opcode: 'RDMA_WRITE', local, remote } };
    await expect(client.perform([wrong, sent])).rejects.toMatchObject({ code: 'COMPLETION' });
    for (const wait of ['poll', 'event'] as const)
      await expect(server.perform([received], { wait, timeoutMs: 50 })).rejects.toThrow(/ETIMEDOUT/);
    await expect(
      server.perform([{ move: 'marked', mr: server.mr.mr, offset: 0 }], { timeoutMs: 50 }),
    ).rejects.toThrow(/ETIMEDOUT/);
  });

  it('refuse places beyond a region, and unknown objects, before the first move', async () => {
    const { client } = await pair();
    const first: Move = { move: 'mark', mr: client.mr.mr, offset: 0 };
    const beyond: Move = { move: 'mark', mr: client.mr.mr, offset: 4096 };
    await expect(client.perform([first, beyond])).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(client.perform([first, { ...first, mr: 999 }])).rejects.toMatchObject({
      code: 'BAD_HANDLE',
    });
    expect(await client.bytes(0, 1)).toEqual([0]);
  });

  it('post several RECVs with one call, which is reported', async () => {
    const { server, recording } = await pair();
    await server.endpoint.call('postRecv', { qp: server.qp, wr: { wrId: 4 }, count: 3 });
    const [call] = recording.of('verb', 'server').filter(({ call }) => call === 'ibv_post_recv');
    expect(call?.args.wr).toHaveLength(3);
  });
});
