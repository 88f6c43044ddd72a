import { tool } from './requirements.js';
import { MANAGEMENT } from './machine.js';
import { vmFiles } from './paths.js';
import type { Share } from './shares.js';
import type { Vm, VmsState } from './state.js';

export type Accel = 'kvm' | 'tcg';

export const qemuProgram = (): string => tool('qemu-system-x86_64');

/**
 * Options per accelerator. `rep movsb` is the fastest copy of a processor with ERMS and the slowest of an emulated one,
 * which loops per byte. Without ERMS, Linux copies eight bytes per turn of the loop.
 */
const ACCEL: Readonly<Record<Accel, readonly string[]>> = {
  kvm: ['-accel', 'kvm', '-cpu', 'max'],
  tcg: ['-accel', 'tcg,thread=multi', '-cpu', 'max,-erms,-fsrm'],
};

/**
 * Processors of a machine. With only one possible processor, QEMU's emulation leaves out the lock prefix and with it
 * the memory barriers between the processor and its devices, on which virtio's notifications depend. Room for a second
 * one keeps them.
 */
const processors = (accel: Accel, cpus: number): string =>
  accel === 'tcg' ? `cpus=${cpus},maxcpus=${Math.max(2, cpus)}` : String(cpus);

/** An empty machine: no disks, no graphics, no devices except the named ones. */
export function bareMachine(accel: Accel, cpus: number, memory: number, console: string): string[] {
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none'],
    ...['-machine', 'q35', ...ACCEL[accel]],
    ...['-smp', processors(accel, cpus), '-m', `${memory}M`],
    ...['-chardev', `file,id=console,path=${console}`, '-serial', 'chardev:console'],
  ];
}

/**
 * Kernel command line. panic=-1 with -no-reboot: a kernel that dies ends QEMU. Emulated processors read the host's time
 * stamp counter, which all of them share, but do not report this: without tsc=reliable Linux uses the HPET, where each
 * reading of the clock is a system call that stops the machine for about 20 us.
 */
export const kernelLine = (accel: Accel): string =>
  `console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off${accel === 'tcg' ? ' tsc=reliable' : ''}`;

/** Doubles the commas of a value, as QEMU's options require. */
const quoted = (value: string): string => value.replaceAll(',', ',,');

/**
 * The link between the machines: unix datagram sockets. Two machines send to each other. With more, the first is the
 * hub to which the others send. Datagrams need no order of starting, and a restarted machine is heard again.
 */
function link(state: VmsState, vm: Vm): string[] {
  const socket = (from: string, to: string): string =>
    `local.type=unix,local.path=${vmFiles(from).link(to)},remote.type=unix,remote.path=${vmFiles(to).link(from)}`;
  const [hub, ...others] = state.vms.map(({ name }) => name) as [string, ...string[]];
  const nic = [
    'virtio-net-pci',
    'id=nic0',
    `mac=${vm.mac}`,
    'romfile=',
    ...(state.mtu > 1500 ? [`host_mtu=${state.mtu}`] : []),
  ].join(',');
  if (vm.name !== hub)
    return ['-netdev', `dgram,id=l2,${socket(vm.name, hub)}`, '-device', `${nic},netdev=l2`];
  if (others.length === 1)
    return ['-netdev', `dgram,id=l2,${socket(hub, others[0]!)}`, '-device', `${nic},netdev=l2`];
  return [
    ...['-netdev', 'hubport,id=l2,hubid=0', '-device', `${nic},netdev=l2`],
    ...others.flatMap((name) => [
      ...['-netdev', `dgram,id=to-${name},${socket(hub, name)}`],
      ...['-netdev', `hubport,id=hub-${name},hubid=0,netdev=to-${name}`],
    ]),
  ];
}

/** The command line of a machine. All paths are relative to the folder in which QEMU runs. */
export function qemuArguments(state: VmsState, vm: Vm, image: string, shared: readonly Share[]): string[] {
  const files = vmFiles(vm.name);
  // restrict=on: the machine reaches neither the host nor the world; the host reaches two ports of it.
  const doors = [vm.agent.port, vm.exec.port].map(
    (port) => `hostfwd=tcp:127.0.0.1:${port}-${MANAGEMENT.guest}:${port}`,
  );
  return [
    ...['-name', `verbslab-${vm.name}`],
    ...bareMachine(state.accel, state.cpus, state.memory, files.console),
    ...['-kernel', image, '-initrd', files.initramfs, '-append', kernelLine(state.accel)],
    ...link(state, vm),
    ...['-netdev', `user,id=host,restrict=on,ipv6=off,${doors.join(',')}`],
    ...['-device', 'virtio-net-pci,netdev=host,romfile='],
    ...shared.flatMap(({ tag, path }) => [
      ...['-fsdev', `local,id=${tag},path=${quoted(path)},security_model=none,readonly=on,multidevs=remap`],
      ...['-device', `virtio-9p-pci,fsdev=${tag},mount_tag=${tag}`],
    ]),
  ];
}
