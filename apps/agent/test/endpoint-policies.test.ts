/** Recovery and congestion control of an endpoint's queue pairs: chosen when they are made, and reported. */
import { MAX_POLICIES } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recording } from './endpoint-harness.js';

async function opened(recording: Recording, env: Record<string, string> = {}) {
  const endpoint = await recording.spawn('one', { env });
  const { pd } = await endpoint.call('allocPd', {});
  const { cq } = await endpoint.call('createCq', { depth: 64 });
  return { endpoint, pd, cq };
}

describe('policies of an endpoint', () => {
  it('are chosen with a queue pair, and reported until it is destroyed', async () => {
    const recording = new Recording();
    const { endpoint, pd, cq } = await opened(recording);
    expect(endpoint.has('policies')).toBe(true);
    const policy = { recovery: 'go-back-0', congestion: 'timely', lineRate: 25e9 } as const;
    const plain = await endpoint.call('createQp', { pd, sendCq: cq });
    const made = await endpoint.call('createQp', { pd, sendCq: cq, policy });
    const { qpn } = made.info;
    await endpoint.call('connectQp', { qp: made.qp, remote: plain.info });
    await endpoint.call('destroy', { what: 'qp', handle: made.qp });
    await endpoint.close(1000);
    const [first, last, ...more] = recording.of('policies');
    expect(first).toMatchObject({ qps: [{ qpn, ...policy, cnps: 0, marks: 0 }], others: 0 });
    expect(last).toMatchObject({ qps: [], others: 0 });
    expect(more).toEqual([]);
    const calls = recording.of('verb').filter(({ call }) => call === 'uroce_set_qp_policy');
    expect(calls).toMatchObject([{ args: { policy } }]);
  });

  it.each(['go-back-n', 'selective-repeat'] as const)(
    'say which recovery is in effect towards a peer with %s',
    async (recovery) => {
      const recording = new Recording();
      const { endpoint, pd, cq } = await opened(recording);
      const policy = { recovery: 'selective-repeat' } as const;
      const one = await endpoint.call('createQp', { pd, sendCq: cq, policy });
      const peer = await endpoint.call('createQp', { pd, sendCq: cq, policy: { recovery } });
      await endpoint.call('connectQp', { qp: one.qp, remote: peer.info });
      await endpoint.call('connectQp', { qp: peer.qp, remote: one.info });
      const access = ['LOCAL_WRITE', 'REMOTE_WRITE'] as const;
      const { mr, addr, rkey } = await endpoint.call('regMr', { pd, length: 64, access: [...access] });
      const wr = { opcode: 'RDMA_WRITE', local: [{ mr }], remote: { addr, rkey } } as const;
      await endpoint.call('postAndWait', {
        qp: one.qp,
        cq,
        wr: { ...wr, local: [...wr.local] },
        timeoutMs: 5000,
      });
      await endpoint.call('destroy', { what: 'qp', handle: one.qp });
      await endpoint.close(1000);
      const states = recording
        .of('policies')
        .flatMap(({ qps }) => qps.filter(({ qpn }) => qpn === one.info.qpn));
      // Nothing is known of the peer before its first packet.
      expect(states[0]).toMatchObject({ ...policy, recoveryInEffect: 'go-back-n' });
      expect(states.at(-1)!.recovery).toBe('selective-repeat');
      expect(states.at(-1)!.recoveryInEffect).toBe(recovery === 'go-back-n' ? recovery : undefined);
    },
  );

  it('are those of its environment, of which 16 are named', async () => {
    const recording = new Recording();
    const { endpoint, pd, cq } = await opened(recording, { UROCE_CONGESTION: 'swift' });
    for (let i = 0; i < MAX_POLICIES + 2; i++) await endpoint.call('createQp', { pd, sendCq: cq });
    await endpoint.call('createQp', { pd, sendCq: cq, type: 'UD' });
    await endpoint.close(1000);
    const most = recording.of('policies').find(({ others }) => others === 2)!;
    expect(most.qps).toHaveLength(MAX_POLICIES);
    expect(most.qps.every(({ congestion, window }) => congestion === 'swift' && window! > 0)).toBe(true);
    expect(recording.of('policies').at(-1)!.qps).toEqual([]);
  });

  it('are refused where they mean nothing', async () => {
    const recording = new Recording();
    const { endpoint, pd, cq } = await opened(recording);
    const asked = { pd, sendCq: cq, type: 'UD', policy: { congestion: 'swift' } } as const;
    await expect(endpoint.call('createQp', asked)).rejects.toThrow('uroce_set_qp_policy failed');
    await endpoint.close(1000);
    expect(recording.of('policies')).toEqual([]);
  });
});
