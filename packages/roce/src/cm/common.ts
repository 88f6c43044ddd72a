import { hexNumber } from '../base/bytes.js';
import { byteString, uint, uint64 } from '../base/header.js';
import type { FieldDef } from '../base/header.js';

/** Bytes of a CM message, which follows the header of a MAD. */
export const CM_LENGTH = 232;

export const commIdDocs = {
  local: 'Number by which the sender of this message knows the connection.',
  remote: 'Number by which the receiver of this message knows the connection.',
};

export const reserved = (offset: number, length: number, mask?: number): FieldDef<number> =>
  uint(offset, length, {
    name: 'infiniband.reserved',
    ours: mask !== undefined,
    label: 'Reserved',
    hex: 2 * length,
    ...(mask === undefined ? {} : { mask }),
    doc: 'Must be zero.',
  });

export const privateData = (offset: number, name: string, ours = false): FieldDef<Uint8Array> =>
  byteString(offset, CM_LENGTH - offset, {
    name,
    ours,
    label: 'Private data',
    doc: 'Bytes that the application hands to its peer, such as the address and key of a buffer.',
  });

/** Upper five bytes of a service ID that carries an IP port (RDMA IP CM service, annex A11). */
const IP_CM_PREFIX = 0x0000000001n;

/** True when the service ID is one of the RDMA port spaces, so that the private data begins with IP addresses. */
export const isIpCmService = (serviceId: bigint): boolean => serviceId >> 24n === IP_CM_PREFIX;

const PORT_SPACES: Record<number, string> = { 0x06: 'TCP', 0x11: 'UDP', 0x3f: 'InfiniBand' };

/** `RDMA port space TCP, port 7174`, or the number. */
export function serviceIdText(v: bigint): string {
  if (!isIpCmService(v)) return hexNumber(v, 16);
  const space = Number((v >> 16n) & 0xffn);
  return `RDMA port space ${PORT_SPACES[space] ?? hexNumber(space, 2)}, port ${Number(v & 0xffffn)}`;
}

/** Service ID, with the parts of an RDMA port space shown under `prefix`. */
export function serviceId(offset: number, name: string, ours = false): FieldDef<bigint> {
  return uint64(offset, {
    name,
    ours,
    label: 'Service ID',
    text: serviceIdText,
    doc: 'What the peer listens on; librdmacm builds it from a port space and a port number.',
    parts: (v) =>
      isIpCmService(v)
        ? [
            byteString(offset, 5, {
              name: `${name}.prefix`,
              ours,
              label: 'Prefix',
              doc: 'Marks the service IDs of the RDMA IP CM service.',
            }),
            uint(offset + 5, 1, {
              name: `${name}.protocol`,
              ours,
              label: 'Port space',
              text: (p) => `${PORT_SPACES[p] ?? 'Unknown'} (${hexNumber(p, 2)})`,
              doc: 'RDMA_PS_TCP for connections, RDMA_PS_UDP for datagrams.',
            }),
            uint(offset + 6, 2, {
              name: `${name}.dport`,
              ours,
              label: 'Destination port',
              doc: 'Port number that the listener was bound to.',
            }),
          ]
        : [],
  });
}
