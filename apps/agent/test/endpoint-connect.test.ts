/** Connections that endpoints make and serve by themselves. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Recording } from './endpoint-harness.js';

const timeoutMs = 5000;
const encode = (text: string) => Buffer.from(text).toString('base64');

async function pair() {
  const recording = new Recording();
  const [server, client] = [await recording.spawn('server'), await recording.spawn('client')];
  onTestFinished(async () => {
    await Promise.all([server.close(2000), client.close(2000)]);
  });
  return { recording, server, client };
}

/** A server that accepts by itself, and PD and CQ of both ends. */
async function served() {
  const { recording, server, client } = await pair();
  const listener = await server.call('cm.listen', {});
  const { address, port } = listener;
  const ends = await Promise.all(
    [
      { endpoint: server, cm: listener.cm },
      { endpoint: client, cm: (await client.call('cm.resolve', { address, port })).cm },
    ].map(async ({ endpoint, cm }) => ({
      ...(await endpoint.call('allocPd', { cm })),
      ...(await endpoint.call('createCq', { depth: 16, cm })),
    })),
  );
  const [own, theirs] = [ends[1]!, ends[0]!];
  const { mr, addr, rkey } = await server.call('regMr', {
    pd: theirs.pd,
    length: 64,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
  });
  const { mr: local } = await client.call('regMr', { pd: own.pd, length: 64, access: ['LOCAL_WRITE'] });
  await client.call('fillMemory', { mr: local, offset: 0, length: 64, seed: 7 });
  const request = {
    opcode: 'RDMA_WRITE' as const,
    local: [{ mr: local, length: 64 }],
    remote: { addr, rkey },
  };
  const same = async () => {
    const hash = async (endpoint: typeof server, mr: number) =>
      (await endpoint.call('hashMemory', { mr, offset: 0, length: 64 })).sha256;
    return (await hash(server, mr)) === (await hash(client, local));
  };
  return { recording, server, client, listener, own, theirs, request, same };
}

const ascending = (times: readonly (number | null)[]) => {
  expect(times).not.toContain(null);
  expect([...times].sort((a, b) => a! - b!)).toEqual(times);
};

describe('connections by rdma_cm, one after another', () => {
  it('are accepted without a command for each, and told with their times', async () => {
    const { recording, server, client, listener, own, theirs, request, same } = await served();
    const { cm, address, port } = listener;
    await server.call('cm.serve', { cm, ...theirs, privateData: encode('welcome') });
    const { connections } = await client.call('cm.connectMany', {
      address,
      port,
      ...own,
      request,
      count: 3,
      timeoutMs,
      privateData: encode('hello'),
    });
    expect(connections).toHaveLength(3);
    for (const one of connections) {
      expect(one).toMatchObject({ event: 'ESTABLISHED', reason: 0, status: 'SUCCESS' });
      const { beganAt, resolvedAt, createdAt, answeredAt, workedAt, endedAt } = one;
      ascending([beganAt, resolvedAt, createdAt, answeredAt, workedAt, endedAt]);
    }
    expect(await same()).toBe(true);
    const found = await server.call('cm.served', { cm });
    expect(found).toMatchObject({ requests: 3, established: 3, ended: 3, failed: 0 });
    expect(Buffer.from(found.privateData, 'base64').toString()).toMatch(/^hello\0+$/);
    expect(found.qpns).toHaveLength(3);
    expect(recording.calls('server').filter((call) => call === 'rdma_destroy_qp')).toHaveLength(3);
  });

  it('report a rejection once the listener is gone', async () => {
    const { server, client, listener, own } = await served();
    const { cm, address, port } = listener;
    await server.call('destroy', { what: 'cm', handle: cm });
    const { connections } = await client.call('cm.connectMany', {
      address,
      port,
      ...own,
      count: 1,
      timeoutMs,
    });
    expect(connections).toMatchObject([
      { event: 'REJECTED', reason: 8, status: null, workedAt: null, endedAt: null },
    ]);
  });

  it('end when the server stops serving', async () => {
    const { server, client, listener, own, theirs } = await served();
    const { cm, address, port } = listener;
    await server.call('cm.serve', { cm, ...theirs });
    const { cm: id } = await client.call('cm.resolve', { address, port });
    await client.call('cm.createQp', { cm: id, pd: own.pd, sendCq: own.cq });
    expect(await client.call('cm.connect', { cm: id })).toMatchObject({ established: true });
    const stopped = server.call('cm.served', { cm });
    await client.call('cm.disconnected', { cm: id, timeoutMs });
    expect(await stopped).toMatchObject({ requests: 1, established: 1, ended: 1, failed: 0 });
  });
});

describe('connections by hand over TCP', () => {
  it('exchange QPN, PSN and GID, move data, and report their times', async () => {
    const { server, client, own, theirs, request, same, listener } = await served();
    const { port } = await server.call('hand.serve', { host: listener.address, ...theirs });
    const args = { host: listener.address, port, ...own, request, count: 2, timeoutMs };
    const { connections } = await client.call('hand.connectMany', args);
    expect(await same()).toBe(true);
    const found = await server.call('hand.served', {});
    expect(found.failed).toBe(0);
    expect(found.connections).toHaveLength(2);
    for (const [i, one] of connections.entries()) {
      const other = found.connections[i]!;
      expect(one.status).toBe('SUCCESS');
      expect(one.own).toBe(other.peer);
      expect(one.peer).toBe(other.own);
      expect(one.own).toMatch(/^[0-9a-f]{6} [0-9a-f]{6} ::ffff:127\./);
      expect(parseInt(one.own, 16)).toBe(one.qpn);
      const { beganAt, openedAt, sentAt, receivedAt, readyAt, doneAt, workedAt } = one;
      ascending([beganAt, openedAt, sentAt, receivedAt, readyAt, doneAt, workedAt]);
    }
  });

  it('are refused where there is no listener', async () => {
    const { server, client, own, theirs, listener } = await served();
    const { port } = await server.call('hand.serve', { host: listener.address, ...theirs });
    await server.call('hand.served', {});
    const args = { host: listener.address, port, ...own, count: 1, timeoutMs };
    await expect(client.call('hand.connectMany', args)).rejects.toMatchObject({ code: 'SYSTEM' });
  });
});
