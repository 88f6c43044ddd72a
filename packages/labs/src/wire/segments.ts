/** Packets and opcodes of a message. */
import type { MessageOpcodes } from './messages.js';

/** Packets of a message; one of 0 bytes takes a packet too. */
export const packetsOf = (size: number, mtu: number): number => Math.max(1, Math.ceil(size / mtu));

/** Opcodes of a message in its order: Only, or First, Middle, …, Last. */
export function expectedOpcodes(size: number, mtu: number, of: MessageOpcodes): number[] {
  const count = packetsOf(size, mtu);
  if (count === 1) return [of.only];
  return [of.first, ...Array.from({ length: count - 2 }, () => of.middle), of.last];
}
