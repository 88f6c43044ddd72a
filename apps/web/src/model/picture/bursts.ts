/** Packets that follow each other in one direction and have one meaning. */
import type { Events } from './events';
import type { PacketEvent } from './recording';
import type { Side } from './state';

export type BurstKind =
  /** Payload, sent for the first time or again; a request for data; the data that answers it. */
  'out' | 'again' | 'ask' | 'response' | 'ack' | 'nak' | 'rnr' | 'manager';

export interface Burst {
  kind: BurstKind;
  side: Side;
  packets: readonly PacketEvent[];
  /** First departure, first arrival, last departure, last arrival. */
  from: number;
  lands: number;
  sent: number;
  to: number;
}

function kindOf(one: PacketEvent, poster: Side): BurstKind {
  if (one.packet === 'nak') return one.wait === null ? 'nak' : 'rnr';
  if (one.packet === 'ack') return 'ack';
  if (one.psn === null) return 'manager';
  if (one.packet === 'request') return one.again ? 'again' : 'ask';
  if (one.side !== poster) return 'response';
  return one.again ? 'again' : 'out';
}

function burstOf(kind: BurstKind, packets: readonly PacketEvent[]): Burst {
  return {
    ...{ kind, side: packets[0]!.side, packets },
    from: Math.min(...packets.map(({ from }) => from)),
    sent: Math.max(...packets.map(({ from }) => from)),
    lands: Math.min(...packets.map(({ to }) => to)),
    to: Math.max(...packets.map(({ to }) => to)),
  };
}

/** Bursts in order of time. */
export function burstsOf({ packets, recording }: Events): Burst[] {
  const groups: { kind: BurstKind; packets: PacketEvent[] }[] = [];
  for (const one of packets) {
    const kind = kindOf(one, recording.poster);
    const last = groups.at(-1);
    // Each message of the connection manager, and each retry, tells something by itself.
    const alone =
      kind === 'manager' ||
      kind === 'rnr' ||
      (kind === 'again' && last?.packets.some(({ psn }) => psn === one.psn) === true);
    if (last?.kind === kind && last.packets[0]!.side === one.side && !alone) last.packets.push(one);
    else groups.push({ kind, packets: [one] });
  }
  return groups.map((group) => burstOf(group.kind, group.packets));
}
