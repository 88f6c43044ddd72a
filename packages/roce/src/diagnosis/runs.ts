import type { Gaps } from './gaps.js';
import { Sample } from './types.js';

/** A NAK or RNR NAK, and the PSN that it names. */
export interface Asked {
  by: 'nak' | 'rnr';
  position: number;
  t: number;
}

/**
 * A requester went back: its packets have PSNs before the highest one sent. The run ends where it goes on or goes
 * back again, and only then can its cause be told.
 */
export interface Run {
  first: number;
  last: number;
  packets: Sample;
  /** Packets whose PSN the capture holds from before; the others fill a gap. */
  seen: number;
  fresh: number;
  /** The first packet was captured before. */
  firstSeen: boolean;
  /** From the sending of the PSN, or the last answer if that came later, to the run. */
  waited: number;
  /** From the packet before, in either direction. */
  quiet: number;
  /** From the packet that overtook the first one. */
  sinceOvertaken: number;
  /** An unanswered NAK or RNR NAK that names the first PSN, or one right before it. */
  asked: Asked | null;
  /** An ACK of the first PSN had been captured. */
  acknowledged: boolean;
}

export type Cause = 'nak' | 'rnr' | 'timeout' | 'lost-ack' | 'one-way' | 'unexplained';

/**
 * A requester that has to wait for a timeout waits at least that long (the shortest timeouts that devices allow are
 * longer), and a packet that was overtaken or duplicated on the way is not that late.
 */
export const SHORTEST_TIMEOUT_NS = 500_000;
/** After so long, a requester that did not pause and one that had been asked have waited for a timeout as well. */
export const LONG_WAIT_NS = 4_000_000;

/** Retransmissions of one cause. */
export class Resent {
  runs = 0;
  /** First packets of the runs: what was asked for. */
  readonly heads = new Sample();
  packets = 0;
  /** Of the packets, those that the capture held already. */
  seen = 0;
  /** Of the runs, those whose first PSN the capture held already. */
  headsSeen = 0;
  longestWait = 0;
  totalWait = 0;
  /** Of the runs, those that a NAK had asked for long before. */
  asked = 0;
  add(run: Run): void {
    this.runs++;
    this.heads.add(run.packets.first[0]!);
    this.packets += run.packets.total;
    this.seen += run.seen;
    if (run.firstSeen) this.headsSeen++;
    if (run.asked) this.asked++;
    this.longestWait = Math.max(this.longestWait, run.waited);
    this.totalWait += run.waited;
  }
}

const timedOut = ({ waited, quiet }: Run): boolean =>
  waited >= LONG_WAIT_NS || (waited >= SHORTEST_TIMEOUT_NS && quiet >= SHORTEST_TIMEOUT_NS);

/** Decides about the runs of one requester. */
export class Runs {
  readonly causes: Record<Cause, Resent> = {
    nak: new Resent(),
    rnr: new Resent(),
    timeout: new Resent(),
    'lost-ack': new Resent(),
    'one-way': new Resent(),
    unexplained: new Resent(),
  };
  readonly reordered = new Sample();
  readonly duplicated = new Sample();
  longestOvertaken = 0;
  /** Came late after a NAK: a retransmission of one packet, unless the requester then answers that NAK again. */
  #held: Run | null = null;

  constructor(readonly gaps: Gaps) {}

  get retransmissions(): number {
    return Object.values(this.causes).reduce((sum, { packets }) => sum + packets, 0);
  }

  ended(run: Run, wentOn: boolean, answers: boolean): void {
    const { asked } = run;
    const held = this.#held;
    this.#held = null;
    if (held) {
      // The requester answers the NAK only now, so what came before it was late.
      if (asked && asked === held.asked) this.#late(held);
      else this.#resent(held, 'nak');
    }
    if (wentOn && run.seen === 0 && run.sinceOvertaken < SHORTEST_TIMEOUT_NS && asked?.by !== 'rnr') {
      if (asked) this.#held = run;
      else this.#late(run);
    } else if (asked)
      this.#resent(run, asked.by === 'nak' && run.waited >= LONG_WAIT_NS ? 'timeout' : asked.by);
    else if (wentOn && run.fresh === 0 && run.waited < SHORTEST_TIMEOUT_NS)
      this.duplicated.addAll(run.packets);
    else if (!answers) this.#resent(run, 'one-way');
    else if (run.acknowledged) this.#resent(run, 'lost-ack');
    else this.#resent(run, timedOut(run) ? 'timeout' : 'unexplained');
  }

  end(): void {
    if (this.#held) this.#resent(this.#held, 'nak');
    this.#held = null;
  }

  #late(run: Run): void {
    this.reordered.addAll(run.packets);
    this.longestOvertaken = Math.max(this.longestOvertaken, run.sinceOvertaken);
    this.gaps.late(run.first, run.last);
  }

  #resent(run: Run, cause: Cause): void {
    this.causes[cause].add(run);
    this.gaps.sentAgain(run.first, run.last);
  }
}
