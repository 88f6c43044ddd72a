/**
 * A model: the number of times that the CPU copies the bytes of one message between the memory of two programs. Not
 * measured.
 */
import type { ProviderClass } from '@verbslab/protocol';
import type { WayId } from '../load/ways.js';

/** Each copy as `from → to`, in order. */
export type Copies = readonly string[];

const SOCKETS: Copies = ['program → kernel', 'kernel → program'];

/** The software device builds packets in memory of its own, so that their checksum holds if the program changes the source. */
const BY_DEVICE: Readonly<Record<ProviderClass, Copies | null>> = {
  hardware: [],
  kernel: ['memory → packet', 'packet → memory'],
  'user-space': ['memory → packet', 'packet → kernel', 'kernel → packet', 'packet → memory'],
  simulated: null,
  unknown: null,
};

const AROUND_KERNEL: Copies = ['memory → packet', 'packet → ring', 'ring → packet', 'packet → memory'];

/** Null where the model does not know the device. */
export function copiesOf(way: WayId, device: ProviderClass): Copies | null {
  if (way === 'udp' || way === 'tcp') return SOCKETS;
  if (way.endsWith('-shm')) return AROUND_KERNEL;
  return BY_DEVICE[device];
}
