/** Interfaces of GIDs, and the origin of their addresses. */
import type { NetworkInterface } from '@verbslab/protocol';

/** The IPv6 link-local address that a MAC address gives by EUI-64: `70:66:55:b1:9a:8d` is `fe80::7266:55ff:feb1:9a8d`. */
export function linkLocalOf(mac: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac.split(':').map((byte) => parseInt(byte, 16));
  const groups = [((a ^ 2) << 8) | b, (c << 8) | 0xff, 0xfe00 | d, (e << 8) | f];
  return `fe80::${groups.map((group) => group.toString(16)).join(':')}`;
}

const plain = (address: string): string => address.split('/')[0] ?? address;

/** An address of the host itself needs no entry of its own: all of 127.0.0.0/8 is `lo`. */
const isOf = (address: string, { internal, addresses }: NetworkInterface): boolean =>
  addresses.some((one) => plain(one) === address) ||
  (internal && address.startsWith('127.') && addresses.some((one) => one.startsWith('127.')));

/** The interface that holds an address; undefined where none does. */
export const interfaceOf = (
  address: string,
  interfaces: readonly NetworkInterface[],
): NetworkInterface | undefined => interfaces.find((one) => isOf(address, one));

/** Origin of the address in a GID, as a table shows it. */
export function originOf(address: string, { mac }: NetworkInterface): string {
  if (address.includes('.')) return 'IPv4 address, mapped into IPv6';
  if (address === linkLocalOf(mac)) return 'IPv6 link-local address, derived from the MAC';
  return address.startsWith('fe80:') ? 'IPv6 link-local address' : 'IPv6 address';
}
