/** The network interface on which the packets of a kernel device can be captured, or why they cannot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@verbslab/protocol';
import type { Device } from '@verbslab/verbs';
import { captureTrouble } from './permission.js';

const RDMA = '/sys/class/infiniband';

function read(...path: string[]): string | null {
  try {
    return readFileSync(join(RDMA, ...path), 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * The network interface of a GID, e.g. `eth0` (Documentation/ABI/stable/sysfs-class-infiniband); null when the kernel
 * does not report it.
 */
export const interfaceOfGid = (device: string, port: number, gidIndex: number): string | null =>
  read(device, 'ports', String(port), 'gid_attrs', 'ndevs', String(gidIndex));

/**
 * Returns why packets of this device cannot be captured on its network interface; null if they can.
 *
 * rxe sends and receives through the kernel's network stack, where libpcap sees each packet as it is on the wire. A
 * NIC's packets bypass the kernel; siw (`node_type` RNIC) speaks iWARP over TCP.
 */
export function interfaceTapTrouble({ name, providerClass }: Device): AppError | null {
  if (providerClass === 'hardware') return new AppError('CAPTURE_BYPASSED', { device: name });
  if (!read(name, 'node_type')?.startsWith('1:')) return new AppError('CAPTURE_NOT_ROCE', { device: name });
  return captureTrouble();
}
