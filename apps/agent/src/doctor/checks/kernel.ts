import { note, ok, problem, type Finding } from '../finding.js';
import { distribution, inContainer, rdmaDevices, upInterfaces, type Host } from '../host.js';

const CHECK = 'kernel';

type Module = 'loaded' | 'installed' | 'absent';

function moduleState(host: Host, release: string): Module {
  if (host.exists('/sys/module/rdma_rxe')) return 'loaded';
  const lists = ['modules.dep', 'modules.builtin'].map(
    (name) => host.read(`/lib/modules/${release}/${name}`) ?? '',
  );
  return lists.some((text) => /\/rdma_rxe\.ko/.test(text)) ? 'installed' : 'absent';
}

/** Sources of the module, by kernel flavor and distribution. */
function whereFrom(host: Host, release: string): string[] {
  const { ids } = distribution(host);
  if (inContainer(host))
    return ['Load rdma_rxe on the host of this container: a container has no kernel of its own.'];
  if (/microsoft/i.test(release))
    return ['The kernel of WSL has no RDMA: use the embedded device, or `verbslab vms up`.'];
  if (ids.includes('ubuntu')) return [`sudo apt-get install linux-modules-extra-${release}`];
  if (ids.includes('debian') && host.list('/lib/modules').includes(release)) {
    const arch = /(amd64|arm64)/.exec(release)?.[1] ?? 'amd64';
    return [`sudo apt-get install linux-image-${arch}   # the -cloud kernels leave RDMA out`, 'sudo reboot'];
  }
  if (ids.includes('fedora') || ids.includes('rhel')) return ['sudo dnf install kernel-modules-extra'];
  return [
    'This kernel was built without SoftRoCE (CONFIG_RDMA_RXE): boot a kernel of your distribution, or use `verbslab vms up`.',
  ];
}

const FREE = 'Needed only for SoftRoCE or a NIC on this machine: every lab runs on the embedded device.';

/** Checks if the kernel has RDMA devices, and if not, what prevents SoftRoCE. */
export function checkKernel(host: Host): Finding[] {
  const devices = rdmaDevices(host);
  if (devices.length > 0) return [ok(CHECK, `The kernel has ${devices.join(', ')}.`)];
  const release = host.read('/proc/sys/kernel/osrelease') ?? '';
  const state = moduleState(host, release);
  if (state === 'absent') {
    return [
      note(CHECK, `The kernel (${release}) has no RDMA device and no module rdma_rxe (SoftRoCE).`, {
        why: FREE,
        cure: whereFrom(host, release),
      }),
    ];
  }
  const netdev = upInterfaces(host)[0];
  const link = netdev
    ? `sudo rdma link add rxe0 type rxe netdev ${netdev}`
    : 'sudo rdma link add rxe0 type rxe netdev INTERFACE   # none is up yet: see ip link';
  const cure = state === 'installed' ? ['sudo modprobe rdma_rxe', link] : [link];
  const text =
    state === 'installed'
      ? 'The kernel has no RDMA device; its module rdma_rxe (SoftRoCE) is not loaded.'
      : 'The module rdma_rxe is loaded, but no link was added.';
  return [note(CHECK, text, { why: FREE, cure })];
}

/** The character devices through which programs reach the kernel's RDMA devices. */
export function checkUverbs(host: Host): Finding[] {
  if (rdmaDevices(host).length === 0) return [];
  const nodes = host.list('/dev/infiniband').filter((name) => name.startsWith('uverbs'));
  if (nodes.length === 0) {
    const cure = inContainer(host)
      ? [
          'Start the container with --device /dev/infiniband and --network host: an rxe link belongs to one network namespace.',
        ]
      : ['sudo modprobe ib_uverbs'];
    return [
      problem('uverbs', 'There is no /dev/infiniband/uverbs*: programs cannot reach the RDMA devices.', {
        cure,
      }),
    ];
  }
  const closed = nodes.filter((name) => !host.mayUse(`/dev/infiniband/${name}`));
  if (closed.length > 0) {
    return [
      problem('uverbs', `You may not open /dev/infiniband/${closed[0]}.`, {
        cure: [
          `sudo chmod 0666 /dev/infiniband/uverbs*   # until the next boot; rdma-core has a udev rule for good`,
        ],
      }),
    ];
  }
  if (!host.exists('/dev/infiniband/rdma_cm')) {
    return [
      note(
        'uverbs',
        'There is no /dev/infiniband/rdma_cm: programs on librdmacm (rping, perftest -R) will not run.',
        {
          cure: ['sudo modprobe rdma_ucm'],
        },
      ),
    ];
  }
  return [
    ok('uverbs', `${nodes.map((name) => `/dev/infiniband/${name}`).join(', ')} and rdma_cm can be opened.`),
  ];
}
