/** A ladder: packets of one direction and their answers, as two captures have them. Pure functions; times in ns. */
import { ahead } from './episodes';

/** A copy of a packet. */
export interface LadderPacket {
  /** PSN from the first one of the ladder. */
  psn: number;
  /** 1 for the first time that it was sent, 2 for the next. */
  copy: number;
  sent: number;
  /** Null: lost. */
  arrived: number | null;
  /** With all headers from IP on. */
  bytes: number;
  /** What the responder does with it: takes it, drops it because one before it is missing, or has it already. */
  fate: 'taken' | 'gap' | 'duplicate' | 'lost';
}

export interface LadderAnswer {
  kind: 'ack' | 'nak';
  /** An ACK: the last PSN that arrived in order. A NAK: the PSN that is missing. */
  psn: number;
  sent: number;
  arrived: number | null;
}

/** A time at which the requester goes back, and why. */
export interface GoBack {
  at: number;
  /** PSN that it starts again at. */
  psn: number;
  /** Packets that it then sends again. */
  packets: number;
  why: 'nak' | 'timeout';
  /** Time since the requester last sent or heard of anything. */
  waited: number;
}

export interface Ladder {
  packets: LadderPacket[];
  answers: LadderAnswer[];
  goBacks: GoBack[];
}

/** A packet or an answer as it was captured at both ends. */
export type Seen = Pick<LadderPacket, 'psn' | 'sent' | 'arrived' | 'bytes'>;

/** `expected`: the PSN that the responder waits for when the ladder begins. */
export function ladderOf(
  sent: readonly Seen[],
  answers: readonly LadderAnswer[],
  expected = sent[0]?.psn ?? 0,
): Ladder {
  const copies = new Map<number, number>();
  const packets = sent.map((one): LadderPacket => {
    const { psn } = one;
    const copy = (copies.get(psn) ?? 0) + 1;
    copies.set(psn, copy);
    return { ...one, copy, fate: 'lost' };
  });
  let next = expected;
  for (const one of packets.filter(({ arrived }) => arrived !== null).sort(byArrival)) {
    const distance = ahead(one.psn, next);
    one.fate = distance === 0 ? 'taken' : distance > 0 ? 'gap' : 'duplicate';
    if (distance === 0) next++;
  }
  return { packets, answers: [...answers], goBacks: goBacksOf(packets, answers) };
}

const byArrival = (a: LadderPacket, b: LadderPacket): number => a.arrived! - b.arrived!;

function goBacksOf(packets: readonly LadderPacket[], answers: readonly LadderAnswer[]): GoBack[] {
  const naks = answers.filter(({ kind, arrived }) => kind === 'nak' && arrived !== null);
  let told = -Infinity;
  return packets.flatMap((one, i) => {
    const before = packets[i - 1];
    if (!before || ahead(one.psn, before.psn) > 0) return [];
    let end = i + 1;
    while (end < packets.length && ahead(packets[end]!.psn, packets[end - 1]!.psn) > 0) end++;
    const nak = naks.find(({ arrived, psn }) => arrived! > told && arrived! <= one.sent && psn === one.psn);
    told = one.sent;
    const heard = answers.flatMap(({ arrived }) =>
      arrived !== null && arrived <= one.sent ? [arrived] : [],
    );
    return [
      {
        at: one.sent,
        psn: one.psn,
        packets: packets.slice(i, end).filter(({ copy }) => copy > 1).length,
        why: nak ? 'nak' : 'timeout',
        waited: one.sent - Math.max(before.sent, ...heard),
      },
    ];
  });
}

export interface LadderCount {
  /** Packets that the message needs, packets sent, and packets sent again. */
  needed: number;
  sent: number;
  again: number;
  /** Bytes of all packets, and of those sent again. */
  bytes: number;
  bytesAgain: number;
  /** Packets sent again although an earlier copy arrived, and those that selective repeat would send again. */
  hadArrived: number;
  selective: number;
}

const bytesOf = (packets: readonly LadderPacket[]): number =>
  packets.reduce((sum, { bytes }) => sum + bytes, 0);

export function countOf({ packets }: Ladder): LadderCount {
  const arrived = new Set<number>();
  let had = 0;
  for (const one of packets) {
    if (arrived.has(one.psn)) had++;
    if (one.arrived !== null) arrived.add(one.psn);
  }
  const again = packets.filter(({ copy }) => copy > 1);
  return {
    needed: packets.length - again.length,
    sent: packets.length,
    again: again.length,
    bytes: bytesOf(packets),
    bytesAgain: bytesOf(again),
    hadArrived: had,
    selective: again.length - had,
  };
}

/** Time of the last thing in the ladder that was recorded. */
export const endOf = ({ packets, answers }: Ladder): number =>
  Math.max(
    0,
    ...packets.map(({ sent, arrived }) => arrived ?? sent),
    ...answers.map((one) => one.arrived ?? one.sent),
  );
