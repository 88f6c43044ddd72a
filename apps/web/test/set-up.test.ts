import type { DeviceInfo, MachinesPlan, MachinesWork, Peer, RunRecord, SetUp } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import {
  deviceReached,
  machinesReached,
  netdevOf,
  peerReached,
  runReached,
  rxePossible,
} from '../src/setup/steps';
import { earlierText, later, leftText, planText, stepsDone, workText } from '../src/setup/machines-text';

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
    // Findings of the doctor that are not about the device.
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

describe('two virtual machines started by the agent', () => {
  const plan: MachinesPlan = {
    count: 2,
    cpus: 1,
    memory: 1024,
    touched: 450,
    available: 9000,
    kernel: 'download',
    download: 70,
    accel: 'kvm',
    limit: 180,
  };
  const work = (more: Partial<MachinesWork> = {}): MachinesWork => ({
    what: 'up',
    state: 'working',
    startedAt: 1000,
    took: 10,
    said: [],
    machines: [],
    output: '',
    error: null,
    ...more,
  });

  it('say before what they take: memory, download, time', () => {
    const text = planText(plan).join(' ');
    expect(text).toContain('1 CPU and up to 1024 MiB');
    expect(text).toContain('about 450 MiB; this host has 9000 MiB free');
    expect(text).toContain('once (70 MB) and installs nothing');
    expect(text).toContain('takes seconds');
    const slow = planText({ ...plan, kernel: 'cached', accel: 'tcg', cpus: 2 }).join(' ');
    expect(slow).toContain('2 CPUs');
    expect(slow).toContain('downloads nothing');
    expect(slow).toContain('from half a minute to 3 minutes');
    expect(planText({ ...plan, accel: null }).join(' ')).toContain('tries KVM first');
  });

  it('say what earlier starts took, and how much is left by them', () => {
    const starts = [41_000, 38_000, 60_000];
    expect(planText(plan, starts).join(' ')).toContain(
      'The last 3 starts of two machines on this host took 38 to 60 s.',
    );
    expect(leftText(11_000, starts, plan)).toMatch(
      /took 38 to 60 s\. If this one takes as long, about 30 s are left\.$/,
    );
    expect(leftText(50_000, starts, plan)).toMatch(/took 38 to 60 s\.$/);
    expect(earlierText([41_000])).toBe('The last start of two machines on this host took 41 s.');
    // The usual duration, because nothing is known of this host.
    expect(leftText(11_000, [], plan)).toContain('a start takes seconds');
    expect(leftText(11_000, [], null)).toBe('');
  });

  it('say how far they are and how it ended', () => {
    const at = (a: 'rxe0' | 'ready', b: 'rxe0' | 'ready') => [
      { name: 'a', step: a, at: 1 },
      { name: 'b', step: b, at: 2 },
    ];
    expect(workText(work())).toBe('Preparing the kernel');
    expect(workText(work({ machines: at('ready', 'rxe0') }))).toBe('Starting the machines');
    expect(workText(work({ machines: at('ready', 'ready') }))).toContain('Pairing');
    expect(workText(work({ state: 'cancelled' }))).toContain('cancelled');
    expect(workText(work({ what: 'down', state: 'done' }))).toBe('The machines were stopped.');
    expect([stepsDone('kernel'), stepsDone('agent'), stepsDone('ready')]).toEqual([0, 5, 7]);
  });

  it('take the later of what was asked for and what was told', () => {
    const early = work();
    const [grown, ended, next] = [
      work({ took: 20 }),
      work({ took: 15, state: 'done' }),
      work({ startedAt: 2000, took: 0 }),
    ];
    expect(later(null, early)).toBe(early);
    expect(later(grown, early)).toBe(grown);
    expect(later(early, grown)).toBe(grown);
    // A report of work in progress may arrive after the end of the work.
    expect(later(grown, ended)).toBe(ended);
    expect(later(ended, next)).toBe(next);
  });
});
