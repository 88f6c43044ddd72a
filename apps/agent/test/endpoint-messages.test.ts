import type { WaitWay } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

async function build(recording: Recording, name: string) {
  const endpoint = await testEndpoint(recording, name);
  const { pd } = await endpoint.call('allocPd', {});
  const { cq: sendCq } = await endpoint.call('createCq', { depth: 64 });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: 64, events: true });
  const { qp, info } = await endpoint.call('createQp', { pd, sendCq, recvCq });
  return { endpoint, info, objects: { qp, sendCq, recvCq } };
}

async function pair() {
  const recording = new Recording();
  const [client, server] = [await build(recording, 'client'), await build(recording, 'server')];
  await client.endpoint.call('connectQp', { qp: client.objects.qp, remote: server.info });
  await server.endpoint.call('connectQp', { qp: server.objects.qp, remote: client.info });
  await server.endpoint.call('postRecv', { qp: server.objects.qp, wr: {} });
  const send = (imm: number) =>
    client.endpoint.call('postSend', { qp: client.objects.qp, wr: { opcode: 'SEND_WITH_IMM', imm } });
  const answer = (wait: WaitWay, timeoutMs: number) =>
    server.endpoint.call('answerMessages', {
      ...server.objects,
      wait,
      budgetUs: 50,
      rounds: 1,
      omit: 0,
      timeoutMs,
    });
  const waitEvent = (seen: number, timeoutMs: number) =>
    server.endpoint.call('waitEvent', { cq: server.objects.recvCq, seen, timeoutMs });
  const arm = () => server.endpoint.call('reqNotify', { cq: server.objects.recvCq });
  return { client, send, answer, waitEvent, arm, recording };
}

describe('waiting for messages', () => {
  it.each(['poll', 'event', 'adaptive'] as const)(
    'counts a message with another number (%s)',
    async (wait) => {
      const { client, send, answer } = await pair();
      await client.endpoint.call('postRecv', { qp: client.objects.qp, wr: {} });
      await send(7);
      expect(await answer(wait, 5000)).toMatchObject({ wrong: 1 });
    },
  );

  it.each(['poll', 'event', 'adaptive'] as const)('says that nothing came (%s)', async (wait) => {
    const { answer } = await pair();
    await expect(answer(wait, 50)).rejects.toThrow(/ETIMEDOUT|timed out/i);
  });

  it('raises an event for an armed CQ, and counts it for a caller that comes later', async () => {
    const { send, waitEvent, arm, recording } = await pair();
    expect(await waitEvent(0, 10)).toEqual({ events: 0 });
    await arm();
    await send(0);
    expect(await waitEvent(0, 5000)).toEqual({ events: 1 });
    expect(await waitEvent(0, 0)).toEqual({ events: 1 });
    expect(await waitEvent(1, 10)).toEqual({ events: 1 });
    const acks = recording.of('verb').filter(({ call }) => call === 'ibv_ack_cq_events');
    expect(acks.map(({ args }) => args.nevents)).toEqual([1]);
  });

  it('refuses to wait for an event of a CQ without a channel', async () => {
    const { client } = await pair();
    const { sendCq } = client.objects;
    await expect(client.endpoint.call('waitEvent', { cq: sendCq, seen: 0, timeoutMs: 10 })).rejects.toThrow(
      /completion channel/,
    );
  });
});
