import { LinkType, RC, summarizePacket } from '@verbslab/roce';

const WRITES = new Set<number>([RC.writeFirst, RC.writeMiddle, RC.writeLast, RC.writeOnly]);

export const isWrite = (opcode: number): boolean => WRITES.has(opcode);

/** PSNs of the WRITE packets of one direction, in their order. */
export const writesOf = (
  packets: readonly { bytes: Uint8Array; direction: 'sent' | 'received' }[],
  direction: 'sent' | 'received',
): number[] =>
  packets.flatMap((packet) => {
    if (packet.direction !== direction) return [];
    const { opcode, psn } = summarizePacket(packet.bytes, LinkType.RAW);
    return opcode !== undefined && psn !== undefined && isWrite(opcode) ? [psn] : [];
  });
