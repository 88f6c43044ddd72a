/** Messages that programs print when the setup is at fault, and their meaning. */
export interface KnownMessage {
  /** Printed text; a part of the line is enough. */
  text: string;
  /** Program that prints the message. */
  from: string;
  meaning: string;
  cure: string;
}

const EMBEDDED = 'Run the program on the embedded device: `verbslab exec -- PROGRAM …`.';

export const MESSAGES: readonly KnownMessage[] = [
  {
    text: 'Failed to get IB devices list: Function not implemented',
    from: 'ibv_devices, ibv_devinfo, ibv_*_pingpong',
    meaning: 'The kernel has no RDMA support loaded (no /sys/class/infiniband_verbs).',
    cure: `Load it: \`sudo modprobe rdma_rxe\`, then add a link. ${EMBEDDED}`,
  },
  {
    text: 'No IB devices found',
    from: 'ibv_*_pingpong',
    meaning: 'RDMA support is loaded, but there is no device.',
    cure: '`sudo rdma link add rxe0 type rxe netdev eth0`, with an interface that is up.',
  },
  {
    text: 'No RDMA devices were detected',
    from: 'rping, ucmatose, udaddy, mckey (librdmacm)',
    meaning: 'librdmacm found no RDMA device in the kernel.',
    cure: `Add one (see \`verbslab doctor\`). ${EMBEDDED}`,
  },
  {
    text: 'Did not detect devices',
    from: 'perftest (ib_write_bw and others)',
    meaning: 'ibv_get_device_list was empty.',
    cure: `Add a device (see \`verbslab doctor\`). ${EMBEDDED}`,
  },
  {
    text: 'Unable to find the Infiniband/RoCE device',
    from: 'perftest',
    meaning: 'The device named with -d does not exist, or there is none at all.',
    cure: '`ibv_devices` lists the names.',
  },
  {
    text: 'rdma_getaddrinfo: Bad value for ai_flags',
    from: 'rdma_client, rdma_server',
    meaning: 'Printed for any failure of rdma_getaddrinfo; most often there is no RDMA device.',
    cure: `Add a device (see \`verbslab doctor\`). ${EMBEDDED}`,
  },
  {
    text: 'Failed to open NETLINK_RDMA socket',
    from: 'rdma (iproute2)',
    meaning: 'The kernel module ib_core is not loaded.',
    cure: '`sudo modprobe ib_core`, or load the driver that needs it: `sudo modprobe rdma_rxe`.',
  },
  {
    text: 'modprobe: FATAL: Module rdma_rxe not found',
    from: 'modprobe',
    meaning:
      'The kernel was installed without SoftRoCE: cloud and minimal kernels leave it out, and a container has no modules.',
    cure: 'Ubuntu: `sudo apt-get install linux-modules-extra-$(uname -r)`. Debian: linux-image-amd64 instead of linux-image-cloud-amd64. Otherwise use the embedded device, or `verbslab vms up`.',
  },
  {
    text: 'rdma_rxe: failed to add',
    from: 'the kernel’s log (dmesg)',
    meaning: 'rdma_rxe is missing something: often the module crc32_generic, otherwise UDP port 4791.',
    cure: '`sudo modprobe crc32_generic`; `sudo ss -uln sport = :4791`.',
  },
  {
    text: "Couldn't allocate MR",
    from: 'perftest',
    meaning: 'ibv_reg_mr failed: most often RLIMIT_MEMLOCK is too low for an ordinary user.',
    cure: '`ulimit -l unlimited`, /etc/security/limits.d, LimitMEMLOCK=infinity (systemd), --ulimit memlock=-1 (containers).',
  },
  {
    text: 'RLIMIT_MEMLOCK is',
    from: 'libibverbs (a warning)',
    meaning: 'The locked-memory limit is low, so little memory can be registered.',
    cure: '`ulimit -l unlimited`, /etc/security/limits.d, LimitMEMLOCK=infinity (systemd), --ulimit memlock=-1 (containers).',
  },
  {
    text: 'RDMA_CM_EVENT_ADDR_ERROR, error -19',
    from: 'rping and others on librdmacm',
    meaning: 'ENODEV: the interface of the route to that address has no RDMA device.',
    cure: 'Use an address of an interface that `rdma link` lists; 127.0.0.1 only where a device is on lo.',
  },
  {
    text: 'RDMA_CM_EVENT_UNREACHABLE',
    from: 'programs on librdmacm',
    meaning:
      'The peer’s connection manager did not answer: the host is down, no program uses its embedded device, or UDP port 4791 is blocked.',
    cure: 'Start the server first; `verbslab doctor` on both hosts checks the firewall.',
  },
  {
    text: 'RDMA_CM_EVENT_REJECTED, error 8',
    from: 'programs on librdmacm',
    meaning: 'No program listens on that port (IB CM reason 8, invalid service ID).',
    cure: 'Start the server first, with the same port.',
  },
  {
    text: 'transport retry counter exceeded',
    from: 'every program (wc status 12)',
    meaning:
      'Packets were retransmitted repeatedly and never acknowledged: wrong GID index, a firewall on UDP port 4791, an MTU that the path does not support, or a dead peer.',
    cure: 'Choose a RoCEv2 GID of an IPv4 address on both ends (-g or -x) and a smaller MTU (-m 1024). Run `verbslab doctor` on both hosts.',
  },
  {
    text: 'RNR retry counter exceeded',
    from: 'every program (wc status 13)',
    meaning: 'The peer had no receive posted for too long.',
    cure: 'Post receives before the peer sends; raise rnr_retry (7 means forever).',
  },
  {
    text: 'Failed to modify QP to RTR',
    from: 'ibv_*_pingpong',
    meaning:
      'The kernel refused the peer’s address: most often no GID index was given on RoCE, or the MTU is too large.',
    cure: 'Add -g INDEX (see `verbslab devices`) on both ends; -m no larger than the active MTU.',
  },
  {
    text: 'Address already in use',
    from: 'the embedded device (UDP port 4791), or perftest (TCP port 18515)',
    meaning:
      'UDP 4791 belongs to the kernel’s rxe or to another user on this address; TCP 18515 to another server.',
    cure: 'UROCE_ADDR=127.0.0.2 for the device; -p PORT for perftest.',
  },
  {
    text: 'error: File exists',
    from: 'rdma link add (iproute2)',
    meaning: 'There is a device of that name already, or the interface has one: it was added before.',
    cure: '`rdma link` lists them. Use the one that is there, or remove it first: `sudo rdma link delete rxe0`.',
  },
  {
    text: 'cannot execute binary file',
    from: 'the shell (“Exec format error”)',
    meaning: 'The program was built for another processor, for example for arm64 on an x86-64 machine.',
    cure: 'Compare `file PROGRAM` with `uname -m`; build the program on this machine, or install its package.',
  },
];

/** Case, spaces and colons differ between programs. */
const plain = (value: string): string =>
  value
    .toLowerCase()
    .replace(/[\s:]+/g, ' ')
    .trim();

/** The known messages that occur in `text`, or that contain it when it is short. */
export function explain(text: string): KnownMessage[] {
  const asked = plain(text);
  if (asked.length < 4) return [];
  return MESSAGES.filter((message) => {
    const known = plain(message.text);
    return asked.includes(known) || known.includes(asked);
  });
}
