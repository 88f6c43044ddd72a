/** A multicast group as GID, IPv4 address and MAC address. */

export const GROUPS = ['239.1.2.3', '239.129.2.3', '239.255.10.20'] as const;

/** QPN of every datagram to a group. */
export const MULTICAST_QPN = 0xff_ffff;

export const gidOf = (group: string): string => `::ffff:${group}`;

/** 01:00:5e and the low 23 bits of the address. */
export function macOf(group: string): string {
  const [, b = 0, c = 0, d = 0] = group.split('.').map(Number);
  return [0x01, 0x00, 0x5e, b & 0x7f, c, d].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}
