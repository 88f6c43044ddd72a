import { describe, expect, it } from 'vitest';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

const timeoutMs = 5000;
const encode = (text: string) => Buffer.from(text).toString('base64');
const decode = (base64: string) => Buffer.from(base64, 'base64').toString().replace(/\0+$/, '');

/** Two endpoints: a listener, and an id that has a route to it. */
async function meeting(service: 'TCP' | 'UDP' = 'TCP') {
  const recording = new Recording();
  const server = await testEndpoint(recording, 'server');
  const client = await testEndpoint(recording, 'client');
  const listener = await server.call('cm.listen', { service });
  const { address, port } = listener;
  const { cm } = await client.call('cm.resolve', { service, address, port });
  /** PD, CQ, region and QP of an id. */
  const side = async (endpoint: HostedEndpoint, id: number) => {
    const { pd } = await endpoint.call('allocPd', { cm: id });
    const { cq } = await endpoint.call('createCq', { depth: 16, cm: id });
    const { mr } = await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE'] });
    return { pd, cq, mr, ...(await endpoint.call('cm.createQp', { cm: id, pd, sendCq: cq })) };
  };
  const next = async () =>
    (await server.call('cm.request', { cm: listener.cm, timeoutMs })).request ??
    expect.fail('no request came');
  return { recording, server, client, listener, cm, side, next };
}

describe('the connection manager of an endpoint', () => {
  it('connects two endpoints, with private data both ways, and ends the connection', async () => {
    const { recording, server, client, cm, side, next } = await meeting();
    const mine = await side(client, cm);
    const connecting = client.call('cm.connect', { cm, privateData: encode('ping') });
    const request = await next();
    expect(decode(request.privateData)).toBe('ping');
    expect(request.qpn).toBe(mine.qpn);
    const theirs = await side(server, request.cm);
    await server.call('cm.accept', { cm: request.cm, privateData: encode('pong') });
    const reply = await connecting;
    expect(reply.established).toBe(true);
    expect(decode(reply.privateData)).toBe('pong');

    await server.call('postRecv', { qp: theirs.qp, wr: { local: [{ mr: theirs.mr, length: 64 }] } });
    await client.call('postSend', {
      qp: mine.qp,
      wr: { opcode: 'SEND', local: [{ mr: mine.mr, length: 5 }] },
    });
    const { completions } = await server.call('waitCq', { cq: theirs.cq, count: 1, timeoutMs });
    expect(completions).toMatchObject([{ opcode: 'RECV', byteLen: 5 }]);

    await client.call('cm.disconnect', { cm });
    await server.call('cm.disconnected', { cm: request.cm, timeoutMs });
    await server.call('cm.disconnect', { cm: request.cm });
    await client.call('cm.disconnected', { cm, timeoutMs });
    await Promise.all([server.close(2000), client.close(2000)]);
    expect(recording.calls('client')).toEqual(
      expect.arrayContaining(['rdma_resolve_addr', 'rdma_resolve_route', 'rdma_connect', 'rdma_destroy_qp']),
    );
    expect(recording.calls('server')).toEqual(expect.arrayContaining(['rdma_listen', 'rdma_accept']));
    expect(recording.of('verb').filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('tells a rejection with its private data', async () => {
    const { server, client, cm, side, next } = await meeting();
    await side(client, cm);
    const connecting = client.call('cm.connect', { cm });
    const request = await next();
    await server.call('cm.reject', { cm: request.cm, privateData: encode('not today') });
    const reply = await connecting;
    expect(reply).toMatchObject({ established: false, reason: 28 });
    expect(decode(reply.privateData)).toBe('not today');
  });

  it('finds a datagram service', async () => {
    const { server, client, cm, side, next } = await meeting('UDP');
    const mine = await side(client, cm);
    const connecting = client.call('cm.connect', { cm });
    const request = await next();
    const theirs = await side(server, request.cm);
    await server.call('cm.accept', { cm: request.cm });
    const { datagram } = await connecting;
    expect(datagram).toMatchObject({ qpn: theirs.qpn });
    const { gid, gidIndex, qpn: remoteQpn, qkey: remoteQkey } = datagram!;
    const { ah } = await client.call('createAh', { pd: mine.pd, gid, gidIndex });
    await server.call('postRecv', { qp: theirs.qp, wr: { local: [{ mr: theirs.mr, length: 64 }] } });
    await client.call('postSend', {
      qp: mine.qp,
      wr: { opcode: 'SEND', local: [{ mr: mine.mr, length: 5 }], ah, remoteQpn, remoteQkey },
    });
    const { completions } = await server.call('waitCq', { cq: theirs.cq, count: 1, timeoutMs });
    expect(completions).toMatchObject([{ opcode: 'RECV', byteLen: 45 }]);
  });

  it('reports that no request came, and that there is no listener', async () => {
    const { server, client, listener, cm, side } = await meeting();
    expect(await server.call('cm.request', { cm: listener.cm, timeoutMs: 10 })).toEqual({ request: null });
    await side(client, cm);
    await server.call('destroy', { what: 'cm', handle: listener.cm });
    expect(await client.call('cm.connect', { cm })).toMatchObject({ established: false });
  });
});
