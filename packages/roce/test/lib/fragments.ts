// A packet as IP fragments.
import { inIpv4, inIpv6 } from './encapsulations.js';

const two = (n: number): number[] => [(n >>> 8) & 0xff, n & 0xff];
/** Bytes of payload per fragment. */
const SIZE = 48;

/** IPv4 fragments of a packet, without its "don't fragment". */
export function fragments4(packet: Uint8Array, id = 9): Uint8Array[] {
  const payload = packet.subarray(20);
  const out: Uint8Array[] = [];
  for (let at = 0; at < payload.length; at += SIZE) {
    const part = payload.subarray(at, at + SIZE);
    const fragment = inIpv4(17, part, (at + SIZE < payload.length ? 0x2000 : 0) | (at / 8), id);
    fragment.set(packet.subarray(12, 20), 12);
    out.push(fragment);
  }
  return out;
}

export function fragments6(packet: Uint8Array, id = 9): Uint8Array[] {
  const payload = packet.subarray(40);
  const out: Uint8Array[] = [];
  for (let at = 0; at < payload.length; at += SIZE) {
    const part = payload.subarray(at, at + SIZE);
    const more = at + SIZE < payload.length ? 1 : 0;
    const fragment = inIpv6(44, Uint8Array.from([17, 0, ...two(at | more), 0, 0, 0, id, ...part]));
    fragment.set(packet.subarray(8, 40), 8);
    out.push(fragment);
  }
  return out;
}
