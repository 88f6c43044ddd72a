/** Names, addresses and sizes of the machines. */

export const MAX_VMS = 8;

/** Names a, b, c … */
export const vmName = (index: number): string => String.fromCharCode(97 + index);

/** Addresses on the link (layer 2) that joins all machines and carries rxe0. 10.91.0.0/24 is used only inside. */
export interface L2Address {
  mac: string;
  ipv4: string;
  /** Address in the namespace `uroce`, on its own interface on the same link, without the kernel's rxe. */
  uroceIpv4: string;
}

export function l2Address(index: number): L2Address {
  const last = index + 1;
  return {
    mac: `52:54:00:91:00:${last.toString(16).padStart(2, '0')}`,
    ipv4: `10.91.0.${last}`,
    uroceIpv4: `10.91.0.${100 + last}`,
  };
}

export const L2_PREFIX = 24;

/** QEMU's user-mode network, through which the host reaches the agent of each machine. */
export const MANAGEMENT = { guest: '10.0.2.15', prefix: 24 };

/** MiB. */
export const DEFAULT_MEMORY = 1024;
/** Bytes of an Ethernet payload on the link; 1500 gives RDMA's path MTU 1024, 4200 and more 4096. */
export const DEFAULT_MTU = 1500;
/** QEMU's receive buffer for a datagram netdev holds 68 KiB; virtio offers up to this to a guest. */
export const MTU_RANGE = [576, 9000] as const;
