/**
 * Lost copies of packets, from the packets that one end sent and the other received. Pure functions over captured
 * packets.
 */
import type { PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';

const WRITES = new Set<number>([RC.writeFirst, RC.writeMiddle, RC.writeLast, RC.writeOnly]);

/** PSNs of the WRITE packets of one direction, in their order. */
export const writePsns = (
  packets: readonly PacketSummary[],
  direction: PacketSummary['direction'],
): number[] =>
  packets
    .filter((packet) => packet.direction === direction && WRITES.has(packet.opcode))
    .map(({ psn }) => psn);

export interface Copies {
  /** Packets that the messages need: each PSN once. */
  needed: number;
  sent: number;
  lost: number;
  /** Packets sent after an earlier copy. */
  again: number;
  /** Packets sent although an earlier copy had arrived; `again` counts them too. */
  hadArrived: number;
  /**
   * Packets that a sender would have sent again that retransmits only lost ones: each copy that was lost before the
   * first that arrived.
   */
  selective: number;
  /** PSNs without a copy that arrived. */
  missing: number;
}

/**
 * Arrival of each sent packet. Two copies in a row cannot be told apart by their PSNs. Then the later one arrived: the
 * sender would have had no reason to send it otherwise. So the comparison goes from the end to the beginning.
 */
export function arrivals(sent: readonly number[], received: readonly number[]): boolean[] {
  let next = received.length - 1;
  return sent
    .toReversed()
    .map((psn) => received[next] === psn && next-- >= 0)
    .reverse();
}

/** Counts copies. `received` is the rest of `sent`, in the same order. */
export function copiesOf(sent: readonly number[], received: readonly number[]): Copies {
  const seen = new Map<number, { arrived: boolean }>();
  const arrived = arrivals(sent, received);
  let hadArrived = 0;
  let selective = 0;
  sent.forEach((psn, i) => {
    const arrives = arrived[i]!;
    const earlier = seen.get(psn);
    if (earlier?.arrived) hadArrived++;
    else if (!arrives) selective++;
    seen.set(psn, { arrived: arrives || earlier?.arrived === true });
  });
  return {
    needed: seen.size,
    sent: sent.length,
    lost: arrived.filter((one) => !one).length,
    again: sent.length - seen.size,
    hadArrived,
    selective,
    missing: [...seen.values()].filter(({ arrived }) => !arrived).length,
  };
}
