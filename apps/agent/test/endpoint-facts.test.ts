import type { EndpointArgs } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';

describe('an endpoint', () => {
  it('tells attributes, interfaces, and how long one request took', async () => {
    const recording = new Recording();
    const endpoint = await recording.spawn('one');
    const { device, port } = await endpoint.call('attributes', {});
    expect(device).toMatchObject({ max_qp: endpoint.device.limits.maxQp, phys_port_cnt: 1 });
    expect(port).toMatchObject({ state: 'ACTIVE', max_mtu: 4096 });
    const { interfaces, gids } = await endpoint.call('interfaces', {});
    expect(interfaces.find(({ name }) => name === 'lo')).toMatchObject({
      internal: true,
      mac: '00:00:00:00:00:00',
    });
    // The kernel does not know the embedded device.
    expect(gids.map(({ interface: name }) => name)).toEqual(gids.map(() => null));

    const { pd } = await endpoint.call('allocPd', {});
    const { cq } = await endpoint.call('createCq', { depth: 8 });
    const mr = await endpoint.call('regMr', { pd, length: 64, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
    const a = await endpoint.call('createQp', { pd, sendCq: cq });
    const b = await endpoint.call('createQp', { pd, sendCq: cq });
    await endpoint.call('connectQp', { qp: a.qp, remote: b.info });
    await endpoint.call('connectQp', { qp: b.qp, remote: a.info });
    const wr: EndpointArgs<'postAndWait'>['wr'] = {
      wrId: 3,
      opcode: 'RDMA_WRITE',
      local: [{ mr: mr.mr }],
      remote: { addr: mr.addr, rkey: mr.rkey },
    };
    const done = await endpoint.call('postAndWait', { qp: a.qp, cq, wr, timeoutMs: 5000 });
    expect(done.completions).toMatchObject([{ wrId: 3, statusName: 'SUCCESS' }]);
    expect(done.elapsedNs).toBeGreaterThan(0);
    const none = await endpoint.call('postAndWait', {
      qp: a.qp,
      cq,
      wr: { ...wr, signaled: false },
      timeoutMs: 0,
    });
    expect(none.completions).toEqual([]);
    await endpoint.close(1000);
  });
});
