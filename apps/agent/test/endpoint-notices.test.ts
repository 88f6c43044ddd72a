import type { EndpointArgs, NoticeWay } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

const SIZE = 16;
async function build(recording: Recording, name: string) {
  const endpoint = await testEndpoint(recording, name);
  const { pd } = await endpoint.call('allocPd', {});
  const region = await endpoint.call('regMr', {
    pd,
    length: 4096,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_ATOMIC'],
  });
  const { cq: sendCq } = await endpoint.call('createCq', { depth: 64 });
  const { cq: recvCq } = await endpoint.call('createCq', { depth: 64, events: true });
  const { qp, info } = await endpoint.call('createQp', { pd, sendCq, recvCq });
  return { endpoint, region, info, objects: { qp, sendCq, recvCq, mr: region.mr } };
}

async function pair() {
  const recording = new Recording();
  const [client, server] = [await build(recording, 'client'), await build(recording, 'server')];
  await client.endpoint.call('connectQp', { qp: client.objects.qp, remote: server.info });
  await server.endpoint.call('connectQp', { qp: server.objects.qp, remote: client.info });
  const common = { counter: 1024, rounds: 4, timeoutMs: 5000 };
  const ask = (way: NoticeWay, over: Partial<EndpointArgs<'askNotices'>> = {}) =>
    client.endpoint.call('askNotices', {
      ...common,
      ...client.objects,
      way,
      size: SIZE,
      remote: { addr: server.region.addr, rkey: server.region.rkey },
      pauseMs: 0,
      ...over,
    });
  const answer = async (way: NoticeWay, over: Partial<EndpointArgs<'answerNotices'>> = {}) =>
    server.endpoint.call('answerNotices', {
      ...common,
      ...server.objects,
      way,
      size: SIZE,
      wait: 'poll',
      omit: 1,
      ...over,
    });
  const postRecv = () => server.endpoint.call('postRecv', { qp: server.objects.qp, wr: {} });
  return { ask, answer, postRecv };
}

describe('notices', () => {
  it.each([
    ['memory', 'poll'],
    ['counter', 'poll'],
    ['send', 'poll'],
    ['send', 'event'],
    ['imm', 'poll'],
    ['imm', 'event'],
  ] as const)('go there and back (%s, %s)', async (way, wait) => {
    const { ask, answer, postRecv } = await pair();
    if (way === 'send' || way === 'imm') await postRecv();
    const [asked, answered] = await Promise.all([ask(way), answer(way, { wait })]);
    expect(asked.roundTripsNs).toHaveLength(4);
    expect(Math.min(...asked.roundTripsNs)).toBeGreaterThan(0);
    expect(answered.incomplete).toBe(0);
    expect(answered.elapsedNs).toBeGreaterThan(0);
  });

  it('counts messages of which bytes are missing', async () => {
    const { ask, answer, postRecv } = await pair();
    await postRecv();
    const [, { incomplete }] = await Promise.all([ask('imm', { size: SIZE / 2 }), answer('imm')]);
    expect(incomplete).toBe(4);
  });

  it.each(['poll', 'event'] as const)('say that nothing came (%s)', async (wait) => {
    const { answer, postRecv } = await pair();
    await postRecv();
    await expect(answer('send', { wait, timeoutMs: 50 })).rejects.toThrow(/ETIMEDOUT/);
  });

  it('refuse a message or a counter beyond the region', async () => {
    const { ask, answer } = await pair();
    await expect(ask('memory', { size: 8192 })).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(answer('counter', { counter: 4090 })).rejects.toMatchObject({ code: 'LIMIT' });
  });
});
