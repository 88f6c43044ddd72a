import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpio, directory, file, type CpioEntry } from './cpio.js';
import { etcEntries } from './etc.js';
import type { Identity } from '../config/identity.js';
import type { Kernel } from './kernel.js';
import { L2_PREFIX, MANAGEMENT } from './machine.js';
import { agentFolder } from '../config/agent-folder.js';
import { GUEST_PROJECT } from './paths.js';
import { guestFile, guestNode, shares, systemLinks } from './shares.js';
import type { Vm, VmsState } from './state.js';
import { tool } from './requirements.js';

const executable = (path: string, text: string | Buffer): CpioEntry => file(path, text, 0o755);

/** Entries common to the trial of KVM and to a machine. */
function base(): CpioEntry[] {
  return [
    directory('bin'),
    directory('dev', 0o755),
    executable('bin/busybox', readFileSync(tool('busybox'))),
    executable('init', readFileSync(guestFile('init'))),
  ];
}

/** Initramfs of the trial: reports that the kernel runs and turns the machine off. */
export const probeInitramfs = (): Buffer => cpio(base());

/** Shell variables; the values contain no quotes. */
const variables = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');

function service(command: string, environment: Readonly<Record<string, string>>): string {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'\n`);
  return `#!/bin/sh\nulimit -l unlimited\n. /etc/profile\n${exports.join('')}exec ${command} >/dev/console 2>&1\n`;
}

/**
 * rxe has UDP port 4791 of the machine's first network namespace, so the agent offers the embedded device in another.
 */
const EMBEDDED = { VERBSLAB_UROCE_NETNS: 'uroce', UROCE_NETDEV: 'roce0' };

function settings(state: VmsState, vm: Vm, identity: Identity): CpioEntry[] {
  const node = guestNode();
  const main = `${GUEST_PROJECT}/apps/agent`;
  const hosts = new Map(state.vms.map(({ name, ipv4 }) => [name, ipv4]));
  for (const { name, uroceIpv4 } of state.vms) hosts.set(`${name}-uroce`, uroceIpv4);
  return [
    directory('root'),
    directory('root/etc'),
    ...systemLinks(),
    ...etcEntries(hosts),
    directory('root/etc/verbslab', 0o700),
    file('root/etc/inittab', readFileSync(guestFile('inittab'))),
    executable('root/etc/verbslab/start', readFileSync(guestFile('start'))),
    executable(
      'root/etc/verbslab/agent',
      service(
        `${node} ${main}/bin/verbslab.js agent --listen ${MANAGEMENT.guest}:${vm.agent.port} --advertise ${vm.agent.address}:${vm.agent.port} --allow-remote --log-level warn`,
        { VERBSLAB_HOME: '/var/lib/verbslab', ...EMBEDDED },
      ),
    ),
    executable(
      'root/etc/verbslab/exec',
      service(
        `${node} ${main}/dist/bundle/vms/guest/exec-server.cjs ${MANAGEMENT.guest} ${vm.exec.port} /etc/verbslab/exec-token`,
        {},
      ),
    ),
    file('root/etc/verbslab/exec-token', `${vm.exec.token}\n`, 0o600),
    file(
      'root/etc/verbslab/machine',
      variables({
        NAME: vm.name,
        MTU: state.mtu,
        ADDRESS: `${vm.ipv4}/${L2_PREFIX}`,
        UROCE_ADDRESS: `${vm.uroceIpv4}/${L2_PREFIX}`,
        UROCE_MAC: vm.mac.replace(/^52:54:00:91:00/, '52:54:00:91:01'),
        MANAGEMENT: `${MANAGEMENT.guest}/${MANAGEMENT.prefix}`,
      }),
    ),
    // The agent reads its version here, beside its folders, which are mounted.
    ...['opt', 'opt/verbslab', 'opt/verbslab/apps', 'opt/verbslab/apps/agent'].map((path) =>
      directory(`root/${path}`),
    ),
    file('root/opt/verbslab/apps/agent/package.json', readFileSync(join(agentFolder, 'package.json'))),
    directory('root/var'),
    directory('root/var/lib'),
    directory('root/var/lib/verbslab', 0o700),
    file('root/var/lib/verbslab/peer-token', `${vm.agent.token}\n`, 0o600),
    file('root/var/lib/verbslab/tls-cert.pem', identity.cert, 0o600),
    file('root/var/lib/verbslab/tls-key.pem', identity.key, 0o600),
  ];
}

/** The first root file system of a machine: holds its tokens and key, so it is written with mode 0600. */
export function initramfs(kernel: Kernel, state: VmsState, vm: Vm, identity: Identity): Buffer {
  return cpio([
    ...base(),
    directory('modules'),
    file('modules/order', kernel.modules.map(({ name }) => `${name}\n`).join('')),
    ...kernel.modules.map(({ name, path }) => file(join('modules', name), readFileSync(path))),
    directory('verbslab'),
    file(
      'verbslab/shares',
      shares()
        .map(({ tag, target }) => `${tag} ${target}\n`)
        .join(''),
    ),
    ...settings(state, vm, identity),
  ]);
}
