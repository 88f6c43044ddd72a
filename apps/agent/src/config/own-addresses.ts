import { networkInterfaces } from 'node:os';

/** The machine’s own addresses that others can use, IPv4 first; link-local ones last, since they need a scope. */
export function ownAddresses(): string[] {
  const rank = (address: string): number => (!address.includes(':') ? 0 : /^fe[89ab]/.test(address) ? 2 : 1);
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort((a, b) => rank(a) - rank(b));
}

/** True if only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
