import { hexNumber } from '../base/bytes.js';
import type { EndpointRef } from '../models/types.js';

const ipFields = (ip: string): [string, string] =>
  ip.includes(':') ? ['ipv6.src', 'ipv6.dst'] : ['ip.src', 'ip.dst'];

/** The filter of one direction; null if the QP that it goes to is not known. */
export function wayFilter(from: EndpointRef, to: EndpointRef): string | null {
  if (to.qpn === undefined) return null;
  const [src, dst] = ipFields(to.ip);
  return `${src} == ${from.ip} && ${dst} == ${to.ip} && infiniband.bth.destqp == ${hexNumber(to.qpn, 1)}`;
}

/**
 * The display filter of both directions of a connection, in Wireshark's syntax. A direction with an unknown QPN is left
 * out.
 */
export function connectionFilter([a, b]: readonly [EndpointRef, EndpointRef]): string {
  const ways = [...new Set([wayFilter(a, b), wayFilter(b, a)])].filter((way) => way !== null);
  return ways.length === 1 ? ways[0]! : ways.map((way) => `(${way})`).join(' || ');
}
