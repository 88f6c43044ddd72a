/** Retransmissions of a go-back-N sender after each lost packet, from the packets at both ends. Pure functions. */
import { arrivals } from '@verbslab/labs';

/** A sent packet, in the order of sending. */
export interface Sent {
  psn: number;
  /** True if this copy reached the other end. */
  arrived: boolean;
  /** True if an earlier copy was sent before, and true if an earlier copy had arrived. */
  again: boolean;
  hadArrived: boolean;
}

/** A go-back: the sender starts again at a packet that was lost. */
export interface Episode {
  /** PSN of the lost packet. */
  psn: number;
  /** Positions in the order of sending: the lost copy, the first retransmission, and the packet after the last one. */
  lost: number;
  first: number;
  end: number;
  /** Number of packets sent between the lost one and the go-back. */
  behind: number;
  /** Number of retransmitted packets, and how many of them had arrived before. */
  again: number;
  hadArrived: number;
  /** Number of packets that selective repeat would have retransmitted: those that had not arrived. */
  selective: number;
}

const HALF = 2 ** 23;

/** Distance from `b` to `a`, positive if `a` is ahead, in PSNs of 24 bits. */
export const ahead = (a: number, b: number): number => ((a - b + HALF) & (2 ** 24 - 1)) - HALF;

/** Marks the packets of `sent` that arrived. `received` is what is left of `sent`, in the same order. */
export function sentOf(sent: readonly number[], received: readonly number[]): Sent[] {
  const seen = new Map<number, boolean>();
  const arrived = arrivals(sent, received);
  return sent.map((psn, i) => {
    const earlier = seen.get(psn);
    seen.set(psn, earlier === true || arrived[i]!);
    return { psn, arrived: arrived[i]!, again: earlier !== undefined, hadArrived: earlier === true };
  });
}

/** Episodes: the times that the sender went back to a packet of which no copy had arrived. */
export function episodesOf(sent: readonly Sent[]): Episode[] {
  const last = new Map<number, number>();
  const episodes: Episode[] = [];
  for (let i = 0; i < sent.length; i++) {
    const { psn, again, hadArrived } = sent[i]!;
    const goesBack = i > 0 && ahead(psn, sent[i - 1]!.psn) <= 0;
    if (again && goesBack && !hadArrived) {
      const lost = last.get(psn)!;
      let end = i;
      while (
        end < sent.length &&
        sent[end]!.again &&
        (end === i || ahead(sent[end]!.psn, sent[end - 1]!.psn) > 0)
      )
        end++;
      const copies = sent.slice(i, end);
      const had = copies.filter((one) => one.hadArrived).length;
      episodes.push({
        psn,
        lost,
        first: i,
        end,
        behind: i - lost - 1,
        again: copies.length,
        hadArrived: had,
        selective: copies.length - had,
      });
    }
    last.set(psn, i);
  }
  return episodes;
}

/** Packets drawn before the lost one. */
const BEFORE = 4;

/** Position of the first packet that is drawn. */
export const drawnFrom = ({ lost }: Pick<Episode, 'lost'>): number => Math.max(0, lost - BEFORE);
