import type { DeviceInfo, Peer, RunRecord, SetUp } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import {
  deviceReached,
  machinesReached,
  netdevOf,
  peerReached,
  runReached,
  rxePossible,
} from '../src/setup/steps';

const device = (name: string, provider: 'system' | 'embedded', address: string | null, state = 'ACTIVE') =>
  ({
    name,
    provider,
    ports: [
      { port: 1, state, gids: address === null ? [] : [{ index: 1, gid: '::', address, type: 'RoCEv2' }] },
    ],
  }) as unknown as DeviceInfo;

const KERNEL = {
  check: 'kernel',
  level: 'note',
  text: 'The module rdma_rxe is loaded, but no link was added.',
  cure: ['sudo rdma link add rxe0 type rxe netdev enp3s0'],
} as const;
const finding = { ...KERNEL, cure: [...KERNEL.cure] };

describe('the steps of setting up two machines', () => {
  it('know a device that other machines can reach', () => {
    expect(deviceReached([], [finding])).toMatchObject({ state: 'waiting', findings: [finding] });
    expect(deviceReached([device('uroce0', 'embedded', '127.0.0.1')])).toMatchObject({ state: 'waiting' });
    expect(deviceReached([device('uroce0', 'embedded', '192.0.2.7')])).toMatchObject({ state: 'done' });
    const down = device('rxe0', 'system', '192.0.2.7', 'DOWN');
    expect(
      deviceReached([down], [{ check: 'port', level: 'problem', text: 'rxe0 port 1 is DOWN.' }]),
    ).toMatchObject({
      state: 'failed',
      findings: [{ check: 'port' }],
    });
    expect(deviceReached([down, device('mlx5_0', 'system', 'fe80::1')]).text).toContain('mlx5_0');
    // Other findings of the doctor are not about the device.
    expect(deviceReached([], [{ check: 'memlock', level: 'note', text: 'low' }]).findings).toEqual([]);
  });

  it('take the interface from what the doctor proposes', () => {
    expect(netdevOf([finding])).toBe('enp3s0');
    expect(netdevOf([])).toBe('eth0');
  });

  it('offer SoftRoCE unless the kernel lacks its module', () => {
    expect(rxePossible([finding])).toBe(true);
    expect(rxePossible([])).toBe(true);
    expect(rxePossible([{ ...finding, cure: ['sudo apt-get install linux-modules-extra-6.8'] }])).toBe(false);
  });

  it('tell a peer that is up from one that does not answer', () => {
    const peer = (state: string, error: object | null) => ({ name: 'lab2', state, error }) as unknown as Peer;
    expect(peerReached([]).state).toBe('waiting');
    expect(peerReached([peer('up', null)]).state).toBe('done');
    const error = { code: 'PEER_LOST', message: 'Lost.', cure: 'Start it.' };
    expect(peerReached([peer('down', error)])).toMatchObject({ state: 'failed', error });
  });

  it('count a run only when its endpoints were on two machines', () => {
    const run = (state: string, ...hosts: string[]) =>
      ({ number: 3, state, result: { endpoints: hosts.map((host) => ({ host })) } }) as unknown as RunRecord;
    expect(runReached([run('done', 'local', 'local')], ['lab2']).state).toBe('waiting');
    expect(runReached([run('failed', 'local', 'lab2')], ['lab2']).state).toBe('waiting');
    expect(runReached([run('done', 'local', 'lab2')], ['lab2']).state).toBe('done');
  });

  it('wait until both virtual machines have an active port', () => {
    const seen = (...machines: SetUp['vms']['machines']) =>
      ({ vms: { missing: null, machines } }) as unknown as SetUp;
    const a = { name: 'a', condition: 'ready', rdma: 'ACTIVE' } as const;
    expect(machinesReached(seen()).state).toBe('waiting');
    expect(machinesReached(seen(a, { name: 'b', condition: 'silent', rdma: null })).state).toBe('waiting');
    expect(machinesReached(seen(a, { name: 'b', condition: 'crashed', rdma: null })).state).toBe('failed');
    expect(machinesReached(seen(a, { ...a, name: 'b' })).state).toBe('done');
  });
});
