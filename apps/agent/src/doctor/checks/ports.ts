import { note, ok, problem, type Finding } from '../finding.js';
import { rdmaPorts, type Host, type RdmaPort } from '../host.js';

const name = ({ device, port }: RdmaPort): string => `${device} port ${port}`;

/** State, GIDs and network namespace of each port of the kernel's devices. */
export function checkGids(host: Host): Finding[] {
  return rdmaPorts(host)
    .filter(({ linkLayer }) => linkLayer === 'Ethernet')
    .flatMap((port): Finding[] => {
      const netdev = port.gids.find((gid) => gid.netdev)?.netdev;
      if (port.gids.length > 0 && port.gids.every((gid) => gid.netdev === null)) {
        return [
          problem(
            'netns',
            `${name(port)} belongs to a network interface that this network namespace does not have.`,
            {
              why: 'An RDMA device works only in the network namespace of its interface; elsewhere its GIDs are refused.',
              cure: ['ip netns list', 'sudo ip netns exec NAME verbslab doctor', 'rdma system show netns'],
            },
          ),
        ];
      }
      const found: Finding[] = [];
      if (port.state !== 'ACTIVE') {
        found.push(
          problem('port', `${name(port)} is ${port.state || 'in an unknown state'}, not ACTIVE.`, {
            cure: [`sudo ip link set ${netdev ?? 'INTERFACE'} up`],
          }),
        );
      }
      const routable = port.gids.filter(({ type }) => type === 'RoCE v2');
      if (routable.length === 0) {
        found.push(
          problem('gid', `${name(port)} has no RoCEv2 GID.`, {
            why: 'GIDs come from the addresses of the interface.',
            cure: [
              `sudo ip addr add 192.0.2.1/24 dev ${netdev ?? 'INTERFACE'}   # an address of your network`,
            ],
          }),
        );
      } else if (!routable.some(({ ipv4 }) => ipv4)) {
        found.push(
          note(
            'gid',
            `${name(port)} has no GID of an IPv4 address; its RoCEv2 GIDs are ${routable.map(({ index }) => index).join(', ')}.`,
            {
              why: 'perftest and rping choose IPv4 by themselves; give the index with -x (perftest) or -g (ibv_*_pingpong).',
              cure: [
                `sudo ip addr add 192.0.2.1/24 dev ${netdev ?? 'INTERFACE'}   # an address of your network`,
              ],
            },
          ),
        );
      } else {
        const chosen = routable.find(({ ipv4 }) => ipv4);
        found.push(
          ok(
            'gid',
            `${name(port)}: RoCEv2 GID ${chosen?.index} is ${chosen?.ipv4} (-g ${chosen?.index}, -x ${chosen?.index}).`,
          ),
        );
      }
      return found;
    });
}

/** Room that rdma_rxe leaves for its headers, bytes (rxe_param.h, RXE_MAX_HDR_LENGTH). */
const HEADERS = 80;

/** The largest path MTU that an Ethernet MTU carries. Source: eth_mtu_int_to_enum in the kernel's rxe_net.h. */
export function pathMtu(ethernetMtu: number): number {
  return [4096, 2048, 1024, 512, 256].find((mtu) => mtu <= ethernetMtu - HEADERS) ?? 256;
}

/** Checks if the Ethernet MTU of each RDMA interface allows the largest path MTU. */
export function checkMtu(host: Host): Finding[] {
  const netdevs = new Set(rdmaPorts(host).flatMap(({ gids }) => gids.flatMap(({ netdev }) => netdev ?? [])));
  return [...netdevs].flatMap((netdev): Finding[] => {
    const mtu = Number(host.read(`/sys/class/net/${netdev}/mtu`));
    if (!mtu) return [];
    const path = pathMtu(mtu);
    if (path === 4096) return [ok('mtu', `${netdev} has MTU ${mtu}: path MTU 4096.`)];
    return [
      note('mtu', `${netdev} has MTU ${mtu}: path MTU ${path} of 4096.`, {
        why: 'Both ends and every switch between them must accept the larger frames; a mismatch fails with “transport retry counter exceeded”.',
        cure: [`sudo ip link set ${netdev} mtu 4200`],
      }),
    ];
  });
}

/** Finds an address on two interfaces, or in the GIDs of two devices: packets then arrive at the wrong one. */
export function checkAddresses(host: Host): Finding[] {
  const found: Finding[] = [];
  for (const [address, names] of host.addresses()) {
    const owners = [...new Set(names)];
    if (owners.length > 1 && !address.startsWith('fe80:')) {
      found.push(
        problem('address', `${owners.join(' and ')} have the same address ${address}.`, {
          why: 'The kernel answers on both; RoCE packets reach the wrong device and are dropped.',
          cure: [`sudo ip addr del ${address}/PREFIX dev ${owners.at(-1)}`],
        }),
      );
    }
  }
  const byGid = new Map<string, Set<string>>();
  for (const { device, gids } of rdmaPorts(host)) {
    for (const { gid } of gids.filter(({ ipv4 }) => ipv4)) {
      byGid.set(gid, (byGid.get(gid) ?? new Set()).add(device));
    }
  }
  for (const [gid, devices] of byGid) {
    if (devices.size > 1) {
      found.push(
        problem('address', `${[...devices].join(' and ')} have the same GID ${gid}.`, {
          why: 'A connection manager that looks up a device by address may choose either.',
          cure: [`rdma link   # and remove one: sudo rdma link delete ${[...devices].at(-1)}`],
        }),
      );
    }
  }
  return found;
}
