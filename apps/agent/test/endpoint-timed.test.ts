import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

async function open() {
  const recording = new Recording();
  const endpoint = await testEndpoint(recording, 'client');
  const { pd } = await endpoint.call('allocPd', {});
  const { cq } = await endpoint.call('createCq', { depth: 16 });
  const region = await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
  const [a, b] = [
    await endpoint.call('createQp', { pd, sendCq: cq }),
    await endpoint.call('createQp', { pd, sendCq: cq }),
  ];
  await endpoint.call('connectQp', { qp: a.qp, remote: b.info });
  await endpoint.call('connectQp', { qp: b.qp, remote: a.info });
  const send = (local: object, signaled = true, timeoutMs = 5000) =>
    endpoint.call('postAndWait', {
      qp: a.qp,
      cq,
      timeoutMs,
      wr: {
        opcode: 'RDMA_WRITE',
        local: [{ mr: region.mr, length: 8, ...local }],
        remote: { addr: region.addr, rkey: region.rkey },
        signaled,
      },
    });
  return { recording, region, send };
}

describe('a request with its time', () => {
  it('posts, waits and says how long it took', async () => {
    const { recording, send } = await open();
    const { completions, elapsedNs } = await send({});
    expect(completions).toMatchObject([{ status: 0, opcode: 'RDMA_WRITE' }]);
    expect(elapsedNs).toBeGreaterThan(0);
    expect(recording.calls().slice(-2)).toEqual(['ibv_post_send', 'ibv_poll_cq']);
    expect((await send({}, false, 0)).completions).toEqual([]);
  });

  it('takes another lkey than the region’s', async () => {
    const { recording, region, send } = await open();
    const lkey = (region.lkey ^ 0x100) >>> 0;
    expect((await send({ lkey })).completions).toMatchObject([{ status: 4 }]);
    const post = recording.of('verb').findLast(({ call }) => call === 'ibv_post_send')!;
    expect(JSON.stringify(post.args)).toContain(`"lkey":"0x${lkey.toString(16)}"`);
  });
});
