import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { captureForbidden } from '../src/capture/permission.js';
import { checkCapture } from '../src/doctor/checks/capture.js';
import { checkFirewall } from '../src/doctor/checks/firewall.js';
import { checkKernel, checkUverbs } from '../src/doctor/checks/kernel.js';
import { checkMemlock, checkSocketBuffer } from '../src/doctor/checks/limits.js';
import { checkAddresses, checkGids, checkMtu, pathMtu } from '../src/doctor/checks/ports.js';
import { checkUdpPort } from '../src/doctor/checks/udp-port.js';
import { Host, type CommandResult } from '../src/doctor/host.js';
import { explain, MESSAGES } from '../src/doctor/messages.js';

type Files = Record<string, string>;

/** A machine that has these files, and answers to these programs. */
function machine(files: Files, programs: Record<string, CommandResult> = {}, uid = 1000): Host {
  const root = mkdtempSync(join(tmpdir(), 'verbslab-host-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return new (class extends Host {
    override command(program: string): Promise<CommandResult | null> {
      return Promise.resolve(programs[program] ?? null);
    }
    override addresses(): Map<string, string[]> {
      return new Map([['192.0.2.1', ['eth0']]]);
    }
  })(root, uid);
}

const KERNEL = '6.1.0-30-amd64';
const debian: Files = {
  '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian',
  '/proc/sys/kernel/osrelease': KERNEL,
  [`/lib/modules/${KERNEL}/modules.dep`]: 'kernel/drivers/infiniband/core/ib_core.ko:',
};
const withRxe: Files = {
  ...debian,
  [`/lib/modules/${KERNEL}/modules.dep`]: 'kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko: kernel/lib/x.ko',
};
const eth0: Files = {
  '/sys/class/net/eth0/type': '1',
  '/sys/class/net/eth0/operstate': 'up',
  '/sys/class/net/eth0/mtu': '1500',
};

const IPV4_GID = '0000:0000:0000:0000:0000:ffff:c000:0201';
const LINK_LOCAL = 'fe80:0000:0000:0000:5054:00ff:fe12:3456';

/** sysfs of a device with one port and these GIDs. */
function device(name: string, gids: [string, netdev: string | null][], state = '4: ACTIVE'): Files {
  const port = `/sys/class/infiniband/${name}/ports/1`;
  const files: Files = { [`${port}/state`]: state, [`${port}/link_layer`]: 'Ethernet' };
  gids.forEach(([gid, netdev], index) => {
    files[`${port}/gids/${index}`] = gid;
    files[`${port}/gid_attrs/types/${index}`] = 'RoCE v2';
    if (netdev) files[`${port}/gid_attrs/ndevs/${index}`] = netdev;
  });
  return files;
}

const rxe0 = {
  ...eth0,
  ...device('rxe0', [
    [LINK_LOCAL, 'eth0'],
    [IPV4_GID, 'eth0'],
  ]),
};

describe('the kernel', () => {
  it.each<[string, Files, level: string, cure: RegExp]>([
    ['a Debian cloud kernel', debian, 'note', /linux-image-amd64/],
    [
      'Ubuntu without the extra modules',
      { ...debian, '/etc/os-release': 'ID=ubuntu\nID_LIKE=debian' },
      'note',
      /linux-modules-extra-6\.1\.0-30-amd64/,
    ],
    ['a container', { ...debian, '/.dockerenv': '' }, 'note', /on the host of this container/],
    ['WSL', { ...debian, '/proc/sys/kernel/osrelease': '5.15.0-microsoft-standard-WSL2' }, 'note', /vms up/],
    [
      'a module that is not loaded',
      { ...withRxe, ...eth0 },
      'note',
      /modprobe rdma_rxe\n.*rxe0 type rxe netdev eth0/,
    ],
    [
      'a module without a link',
      { ...withRxe, ...eth0, '/sys/module/rdma_rxe/x': '' },
      'note',
      /^sudo rdma link add rxe0 type rxe netdev eth0$/,
    ],
    ['no interface that is up', { ...withRxe }, 'note', /netdev INTERFACE/],
  ])('%s', (_, files, level, cure) => {
    const [finding] = checkKernel(machine(files));
    expect(finding?.level).toBe(level);
    expect(finding?.cure?.join('\n')).toMatch(cure);
  });

  it('names the devices when there are some', () => {
    expect(checkKernel(machine(rxe0))).toEqual([
      { check: 'kernel', level: 'ok', text: 'The kernel has rxe0.' },
    ]);
  });

  it('finds the character devices', () => {
    expect(checkUverbs(machine(debian))).toEqual([]);
    expect(checkUverbs(machine(rxe0))[0]).toMatchObject({
      level: 'problem',
      cure: ['sudo modprobe ib_uverbs'],
    });
    const files = { ...rxe0, '/dev/infiniband/uverbs0': '' };
    expect(checkUverbs(machine(files))[0]).toMatchObject({ level: 'note', cure: ['sudo modprobe rdma_ucm'] });
    expect(checkUverbs(machine({ ...files, '/dev/infiniband/rdma_cm': '' }))[0]?.level).toBe('ok');
  });
});

describe('ports of the kernel’s devices', () => {
  const levels = (files: Files): string[] =>
    checkGids(machine(files)).map(({ check, level }) => `${check} ${level}`);

  it('are well with a RoCEv2 GID of an IPv4 address, and say its index', () => {
    const [finding] = checkGids(machine(rxe0));
    expect(finding).toMatchObject({ check: 'gid', level: 'ok' });
    expect(finding?.text).toContain('GID 1 is 192.0.2.1 (-g 1, -x 1)');
  });

  it.each<[string, Files, string[]]>([
    ['down', device('rxe0', [[IPV4_GID, 'eth0']], '1: DOWN'), ['port problem', 'gid ok']],
    ['without a GID', device('rxe0', [['0000:0000:0000:0000:0000:0000:0000:0000', null]]), ['gid problem']],
    ['with a link-local GID only', device('rxe0', [[LINK_LOCAL, 'eth0']]), ['gid note']],
    ['of another network namespace', device('rxe0', [[IPV4_GID, null]]), ['netns problem']],
  ])('%s', (_, files, expected) => {
    expect(levels(files)).toEqual(expected);
  });

  it('say what their MTU allows', () => {
    expect([9000, 4200, 4176, 4175, 1500, 1104, 1103, 400].map(pathMtu)).toEqual([
      4096, 4096, 4096, 2048, 1024, 1024, 512, 256,
    ]);
    expect(checkMtu(machine(rxe0))[0]).toMatchObject({
      level: 'note',
      cure: ['sudo ip link set eth0 mtu 4200'],
    });
    expect(checkMtu(machine({ ...rxe0, '/sys/class/net/eth0/mtu': '9000' }))[0]?.level).toBe('ok');
  });

  it('report two devices with one address', () => {
    const two = { ...rxe0, ...device('rxe1', [[IPV4_GID, 'eth1']]) };
    expect(checkAddresses(machine(rxe0))).toEqual([]);
    const findings = checkAddresses(machine(two));
    expect(findings.map(({ level }) => level)).toEqual(['problem']);
    expect(findings[0]?.text).toMatch(/^rxe0 and rxe1/);
  });
});

describe('limits', () => {
  const limits = (value: string): Files => ({
    '/proc/self/limits': `Max locked memory         ${value}  ${value}  bytes`,
  });

  it.each<[string, Files, uid: number, level: string]>([
    ['8 MiB without a kernel device', limits('8388608'), 1000, 'note'],
    ['8 MiB with one', { ...rxe0, ...limits('8388608') }, 1000, 'problem'],
    ['8 MiB as root', limits('8388608'), 0, 'ok'],
    ['no limit', limits('unlimited'), 1000, 'ok'],
  ])('of locked memory: %s', (_, files, uid, level) => {
    expect(checkMemlock(machine(files, {}, uid))[0]?.level).toBe(level);
  });

  it('of socket buffers', () => {
    const buffer = (value: number): Files => ({ '/proc/sys/net/core/rmem_max': String(value) });
    expect(checkSocketBuffer(machine(buffer(212_992)))[0]).toMatchObject({
      level: 'note',
      cure: ['sudo sysctl -w net.core.rmem_max=4194304'],
    });
    expect(checkSocketBuffer(machine(buffer(4_194_304)))[0]?.level).toBe('ok');
  });
});

describe('UDP port 4791', () => {
  const head =
    '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const table = (...sockets: [address: string, uid: number][]): Files => ({
    '/proc/net/udp': [
      head,
      ...sockets.map(
        ([address, uid]) => ` 160: ${address}:12B7 00000000:0000 07 0:0 00:0 00000000 ${uid} 0 32 2`,
      ),
    ].join('\n'),
  });

  it.each<[string, Files, level: string, text: RegExp]>([
    ['free', table(), 'ok', /is free/],
    ['mine', table(['0100007F', 1000], ['0100007F', 1000]), 'ok', /2 sockets, all yours/],
    ['of another user', table(['0100007F', 1001]), 'note', /User 1001/],
    ['of a program on every address', table(['00000000', 1001]), 'problem', /program of user 1001/],
    ['of rxe', { ...table(['00000000', 0]), '/sys/module/rdma_rxe/x': '' }, 'note', /kernel’s rxe/],
  ])('%s', (_, files, level, text) => {
    const [finding] = checkUdpPort(machine(files));
    expect(finding?.level).toBe(level);
    expect(finding?.text).toMatch(text);
  });

  it('of this machine, as the kernel lists it', async () => {
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    socket.bind(4791, '127.0.0.39');
    await once(socket, 'listening');
    const [finding] = checkUdpPort(new Host());
    // The owner is not tested: other tests use the port, too.
    expect(finding?.text).not.toMatch(/is free/);
  });
});

describe('the firewall', () => {
  /** Output of nft 1.0.6 for a closed input chain, without and with a rule for the port. */
  const nft = (rules: unknown[]): CommandResult => ({
    code: 0,
    stderr: '',
    stdout: JSON.stringify({
      nftables: [
        { metainfo: { version: '1.0.6', json_schema_version: 1 } },
        { table: { family: 'inet', name: 'filter', handle: 1 } },
        {
          chain: {
            family: 'inet',
            table: 'filter',
            name: 'input',
            handle: 1,
            type: 'filter',
            hook: 'input',
            prio: 0,
            policy: 'drop',
          },
        },
        ...rules,
      ],
    }),
  });
  const rule = {
    rule: {
      family: 'inet',
      table: 'filter',
      chain: 'input',
      handle: 2,
      expr: [
        { match: { op: '==', left: { payload: { protocol: 'udp', field: 'dport' } }, right: 4791 } },
        { accept: null },
      ],
    },
  };
  const ufw = { '/etc/ufw/ufw.conf': 'ENABLED=yes' };
  const firewalld = (ports: string): Record<string, CommandResult> => ({
    'firewall-cmd': { code: 0, stdout: ports, stderr: '' },
  });

  it.each<[string, Files, Record<string, CommandResult>, level: string, cure?: string]>([
    [
      'a chain that drops',
      {},
      { nft: nft([]) },
      'problem',
      'sudo nft insert rule inet filter input udp dport 4791 accept',
    ],
    ['a chain with a rule', {}, { nft: nft([rule]) }, 'ok'],
    [
      'rules that may not be read',
      {},
      { nft: { code: 1, stdout: '', stderr: 'Operation not permitted' } },
      'note',
      'sudo verbslab doctor',
    ],
    ['ufw', ufw, {}, 'note', 'sudo ufw allow 4791/udp'],
    [
      'ufw with a rule',
      { ...ufw, '/etc/ufw/user.rules': '-A ufw-user-input -p udp --dport 4791 -j ACCEPT' },
      {},
      'ok',
    ],
    ['firewalld', {}, firewalld('22/tcp'), 'note', 'sudo firewall-cmd --permanent --add-port=4791/udp'],
    ['firewalld with the port', {}, firewalld('22/tcp 4791/udp'), 'ok'],
  ])('%s', async (_, files, programs, level, cure) => {
    const [finding] = await checkFirewall(machine(files, programs));
    expect(finding?.level).toBe(level);
    expect(finding?.cure?.[0]).toBe(cure);
  });
});

describe('known messages', () => {
  it('are found in what a program printed, and by a part of them', () => {
    expect(explain('rping: cma event RDMA_CM_EVENT_REJECTED, error 8')[0]?.meaning).toMatch(
      /No program listens/,
    );
    expect(explain('cmatose: event: RDMA_CM_EVENT_REJECTED, error: 8')[0]?.meaning).toMatch(
      /No program listens/,
    );
    expect(explain('did not detect')[0]?.from).toMatch(/perftest/);
    expect(explain('error: File exists')[0]?.cure).toContain('rdma link delete');
    expect(explain('bash: ./client: cannot execute binary file: Exec format error')[0]?.meaning).toContain(
      'another processor',
    );
    expect(explain('x')).toEqual([]);
    expect(explain('no such thing')).toEqual([]);
  });

  it('are in the docs, each with its cure', () => {
    const doc = readFileSync(join(import.meta.dirname, '../../../docs/setup.md'), 'utf8');
    const rows = doc.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| |\s*\|$/g, '').trim()));
    expect(cells).toEqual(
      MESSAGES.map(({ text, from, meaning, cure }) => [`\`${text}\``, from, meaning, cure]),
    );
  });

  it('are listed once each, and find themselves', () => {
    expect(new Set(MESSAGES.map(({ text }) => text)).size).toBe(MESSAGES.length);
    for (const message of MESSAGES) expect(explain(message.text)).toContain(message);
  });
});

describe('capture', () => {
  const host = () => machine(device('rxe0', [[IPV4_GID, 'eth0']]));

  it('names the command that allows it', () => {
    const [finding] = checkCapture(host(), () => captureForbidden());
    expect(finding).toMatchObject({ check: 'capture', level: 'note' });
    expect(finding?.cure?.[0]).toMatch(/^sudo setcap cap_net_raw\+ep \/.*vlcapture /);
  });

  it('is of no concern without a kernel device', () => {
    expect(checkCapture(host(), () => null)).toMatchObject([{ level: 'ok' }]);
    expect(checkCapture(machine(debian), () => captureForbidden())).toEqual([]);
  });
});
