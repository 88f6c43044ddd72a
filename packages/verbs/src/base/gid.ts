import { isIPv4, SocketAddress } from 'node:net';
import { argumentError } from './errors.js';

/** GIDs are IPv6 addresses. An IPv4 address is `::ffff:a.b.c.d`. */

export function formatGid(bytes: Uint8Array): string {
  const mapped =
    bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (mapped) return `::ffff:${bytes.subarray(12, 16).join('.')}`;
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  // RFC 5952: the longest run of two or more zero groups becomes `::`, the first one if several are equally long.
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === '0') end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  if (start < 0) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** The GID as an address in its usual notation. */
export const gidAddress = (gid: string): string => (gid.startsWith('::ffff:') ? gid.slice(7) : gid);

/**
 * True for an IPv6 address. `isIPv6` of node:net takes milliseconds at its first use, which would count as the verb’s.
 */
export function isIpv6(address: string): boolean {
  try {
    new SocketAddress({ address, family: 'ipv6' });
    return true;
  } catch {
    return false;
  }
}

export const isZeroGid = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Bytes of a GID in IPv6 notation, or of an IPv4 address; 16 bytes. */
export function parseGid(gid: string, call = 'ibv_modify_qp'): Uint8Array {
  const address = isIPv4(gid) ? `::ffff:${gid}` : gid;
  if (!isIpv6(address) || address.includes('%'))
    throw argumentError(
      call,
      'gid',
      `“${gid}” is not a GID`,
      'Give an IPv6 address, or ::ffff:a.b.c.d for an IPv4 address.',
    );
  // A dotted quad at the end becomes two groups.
  const quad = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string, low: string): string => ((Number(high) << 8) | Number(low)).toString(16);
  const plain = quad ? `${quad[1]}${hex(quad[2]!, quad[3]!)}:${hex(quad[4]!, quad[5]!)}` : address;
  const [left = '', right] = plain.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const bytes = new Uint8Array(16);
  [...head, ...zeros, ...tail].forEach((group, i) => {
    const value = Number.parseInt(group, 16);
    bytes[2 * i] = value >> 8;
    bytes[2 * i + 1] = value & 0xff;
  });
  return bytes;
}
