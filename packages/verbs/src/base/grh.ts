import { argumentError } from './errors.js';
import { formatGid } from './gid.js';

/** Size of the GRH in bytes. It precedes the payload of a datagram in the receive buffer. */
export const GRH_BYTES = 40;

/** The global routing header of a datagram, or its equivalent on RoCE. */
export interface Grh {
  /** 6: an IPv6 header, as on InfiniBand. 4: an IPv4 header in the last 20 of the 40 bytes. */
  version: 4 | 6;
  /** GID of the sender. */
  sourceGid: string;
  /** GID that the datagram was sent to: the receiver's, or that of a multicast group. */
  destGid: string;
  /** Remaining hop limit. */
  hopLimit: number;
  /** DSCP and ECN bits. */
  trafficClass: number;
  /** Flow label; 0 with IPv4. */
  flowLabel: number;
}

const mapped = (address: Uint8Array): string => `::ffff:${address.join('.')}`;

/**
 * Reads the GRH at the start of a UD receive buffer. The payload follows after {@link GRH_BYTES}.
 *
 * @param bytes the receive buffer, 40 bytes or more
 * @throws VerbsError EINVAL if there is no GRH: a datagram within an InfiniBand subnet has none (see
 *   {@link WorkCompletion.grh})
 */
export function readGrh(bytes: Uint8Array): Grh {
  const call = 'readGrh';
  if (bytes.length < GRH_BYTES)
    throw argumentError(
      call,
      'bytes',
      `it has ${bytes.length} bytes`,
      `Give the ${GRH_BYTES} bytes of the GRH.`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, GRH_BYTES);
  // RoCEv2 over IPv4 does not write the first 20 bytes. Their content has no meaning.
  const version = bytes[0]! >> 4;
  if (isIpv4(bytes.subarray(20, GRH_BYTES), version === 6))
    return {
      version: 4,
      sourceGid: mapped(bytes.subarray(32, 36)),
      destGid: mapped(bytes.subarray(36, 40)),
      hopLimit: view.getUint8(28),
      trafficClass: view.getUint8(21),
      flowLabel: 0,
    };
  if (version !== 6)
    throw argumentError(call, 'bytes', 'there is no GRH', 'Look at `grh` of the completion first.');
  const word = view.getUint32(0);
  return {
    version: 6,
    sourceGid: formatGid(bytes.subarray(8, 24)),
    destGid: formatGid(bytes.subarray(24, 40)),
    hopLimit: view.getUint8(7),
    trafficClass: (word >>> 20) & 0xff,
    flowLabel: word & 0xf_ffff,
  };
}

/**
 * True for an IPv4 header: version 4 and five words. If the bytes before it could begin an IPv6 header, the checksum
 * must be correct too, as rdma-core checks it. The kernel’s rxe leaves the checksum 0 in datagrams to itself.
 */
function isIpv4(header: Uint8Array, maybeIpv6: boolean): boolean {
  if (header[0] !== 0x45) return false;
  if (!maybeIpv6) return true;
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += (header[at]! << 8) | header[at + 1]!;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum === 0xffff;
}
