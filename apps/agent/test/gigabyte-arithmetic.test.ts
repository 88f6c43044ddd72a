/**
 * The counts of a bulk transfer, on real requests: 1 GiB in WRITEs of 4 MiB, one in 16 signaled, at most 64 in flight.
 */
import { expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

const MIB = 1024 * 1024;
const CHUNK = 4 * MIB;
const CHUNKS = 256;
const SIGNAL_EVERY = 16;
const DEPTH = 64;
const PATH_MTU = 1024;

async function end(recording: Recording, name: string) {
  const endpoint = await testEndpoint(recording, name);
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: CHUNK, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
  const { cq } = await endpoint.call('createCq', { depth: DEPTH });
  const { qp, info } = await endpoint.call('createQp', { pd, sendCq: cq, maxSendWr: DEPTH });
  return { endpoint, mr, qp, info };
}

it('takes 256 requests, 16 completions and 1,048,576 packets', async () => {
  const recording = new Recording();
  const [client, server] = [await end(recording, 'client'), await end(recording, 'server')];
  // A computer that is busy must not count as a lost packet.
  const options = { timeout: 18, mtu: PATH_MTU } as const;
  await client.endpoint.call('connectQp', { qp: client.qp, remote: server.info, options });
  await server.endpoint.call('connectQp', { qp: server.qp, remote: client.info, options });
  const { values: before } = await client.endpoint.call('counters', { when: 'sample' });
  const { loop } = await client.endpoint.call('loop.start', {
    transport: 'rdma',
    role: 'initiator',
    op: 'write',
    measure: 'bandwidth',
    source: 0,
    report: false,
    records: 'none',
    size: CHUNK,
    iterations: CHUNKS,
    txDepth: DEPTH,
    cqMod: SIGNAL_EVERY,
    wait: 'poll',
    qps: [client.qp],
    mr: client.mr.mr,
    remote: { addr: server.mr.addr, rkey: server.mr.rkey, length: CHUNK },
  });
  const result = await client.endpoint.call('loop.wait', { loop });
  const { values: after } = await client.endpoint.call('counters', { when: 'sample' });
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({ messages: CHUNKS, bytes: 1024 * MIB, drained: true });
  expect(result.whole).toMatchObject({ signaled: 16, completions: 16, mostOutstanding: DEPTH });
  const moved = (name: string): number => (after[name] ?? NaN) - (before[name] ?? 0);
  expect(moved('sent_pkts') - moved('retransmitted_pkts')).toBe(1_048_576);
});
