import type { Gaps } from './gaps.js';
import { Sample } from './types.js';

/** A NAK or RNR NAK, and the PSN that it names. */
export interface Asked {
  by: 'nak' | 'rnr';
  position: number;
  t: number;
  /** A requester that heeds it sends again no sooner. */
  notBefore: number;
  /** Where something began since that may be the answer, a copy or late. */
  tried: number;
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
  /** It is the same request as before: a READ that asks for its rest is another one. */
  firstSame: boolean;
  /** From the sending of the PSN, or the last answer if that came later, to the run. */
  waited: number;
  /** From the packet before, in either direction. */
  quiet: number;
  /** From the packet that overtook the first one. */
  sinceOvertaken: number;
  /** An unanswered NAK or RNR NAK that names the first PSN, or one right before it. */
  asked: Asked | null;
  /** An ACK of the first PSN had been captured; of a READ or an atomic, its response. */
  acknowledged: boolean;
  /** The first packet is a READ or an atomic, which only its responses complete. */
  read: boolean;
  /** A later response than the first one that is asked for had been captured. */
  passedOver: boolean;
  /** An ACK of the first PSN had been captured, and not the response that is due. */
  covered: boolean;
  /** It asks for the rest of a READ: the capture holds the response before the first that is asked for. */
  answered: boolean;
  /** A recent NAK or RNR NAK that may have asked for it, whatever answers and NAKs came since. */
  crossed: Asked | null;
  /** The run begins before the first captured request. */
  before: boolean;
  /** Packets beyond the first that were captured before the run. */
  followed: number;
  /** The capture holds the first packet with a wrong ICRC: its number. */
  wrong: number;
  /** All was captured at another place than the packet before. */
  elsewhere: boolean;
  /** The run reaches the highest PSN sent. */
  whole: boolean;
}

export type Cause =
  | 'nak'
  | 'rnr'
  | 'read'
  | 'timeout'
  | 'lost-ack'
  | 'before'
  | 'cut'
  | 'one-way'
  | 'unexplained';

/** What the capture holds of the answers to a requester. */
export type Answers = 'none' | 'all' | 'cut';

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
  /** Of the runs, those that ask again for responses; those whose first response the capture holds; those that a later one passed;
   * those whose request the responder has for sure. */
  reads = 0;
  readsHeld = 0;
  readsPassed = 0;
  readsAnswered = 0;
  /** Of the runs, those whose first packet had followers in the capture, and the fewest of these. */
  followed = 0;
  fewest = Infinity;
  /** First packets that the capture holds with a wrong ICRC. */
  readonly wrong = new Sample();
  add(run: Run): void {
    this.runs++;
    this.heads.add(run.packets.first[0]!);
    this.packets += run.packets.total;
    this.seen += run.seen;
    if (run.firstSeen) this.headsSeen++;
    if (run.asked) this.asked++;
    if (run.read) {
      this.reads++;
      if (run.acknowledged) this.readsHeld++;
      if (run.passedOver) this.readsPassed++;
      if (run.acknowledged || run.passedOver || run.answered) this.readsAnswered++;
    } else if (run.followed > 0) {
      this.followed++;
      this.fewest = Math.min(this.fewest, run.followed);
    }
    if (run.wrong > 0) this.wrong.add(run.wrong);
    this.longestWait = Math.max(this.longestWait, run.waited);
    this.totalWait += run.waited;
  }
}

/** Of a PSN from before the capture, answers that came before they could be matched are not known, but silence is. */
const timedOut = ({ waited, quiet, before, firstSeen }: Run): boolean =>
  (waited >= LONG_WAIT_NS && (firstSeen || !before)) ||
  (waited >= SHORTEST_TIMEOUT_NS && quiet >= SHORTEST_TIMEOUT_NS);

/** Decides about the runs of one requester. */
export class Runs {
  readonly causes: Record<Cause, Resent> = {
    nak: new Resent(),
    rnr: new Resent(),
    read: new Resent(),
    timeout: new Resent(),
    'lost-ack': new Resent(),
    before: new Resent(),
    cut: new Resent(),
    'one-way': new Resent(),
    unexplained: new Resent(),
  };
  readonly reordered = new Sample();
  readonly duplicated = new Sample();
  longestOvertaken = 0;
  /** Some of these were told without answers that say whether a NAK asked for them. */
  blind = false;
  /** One packet behind a NAK, or what fills the gap: sent again, unless the requester then answers that NAK again. */
  #held: Run | null = null;

  constructor(readonly gaps: Gaps) {}

  get retransmissions(): number {
    return Object.values(this.causes).reduce((sum, { packets }) => sum + packets, 0);
  }

  ended(run: Run, wentOn: boolean, answers: Answers): void {
    const single = run.packets.total === 1;
    const asked = this.#decideHeld(run, single);
    // The other place of capture holds what this one missed, or the same once more.
    if (run.elsewhere && !run.read && !asked && (run.seen === 0 || run.packets.total === 1))
      return this.gaps.late(run.first, run.last);
    if (
      wentOn &&
      run.seen === 0 &&
      !run.before &&
      run.sinceOvertaken < SHORTEST_TIMEOUT_NS &&
      asked?.by !== 'rnr'
    ) {
      if (asked) this.#held = run;
      else this.#late(run);
    } else if (
      asked?.by === 'nak' &&
      run.seen === 1 &&
      single &&
      !run.read &&
      run.waited < SHORTEST_TIMEOUT_NS
    )
      this.#held = run;
    else if (asked)
      this.#resent(run, asked.by === 'nak' && run.waited >= LONG_WAIT_NS ? 'timeout' : asked.by);
    else this.#resent(run, this.#cause(run, wentOn, answers));
  }

  /** What the run that is held was, as the next one tells. Returns what asked for that. */
  #decideHeld(run: Run, single: boolean): Asked | null {
    const { asked } = run;
    const held = this.#held;
    this.#held = null;
    if (!held) return asked;
    const same = asked !== null && asked === held.asked;
    // The requester answers the NAK only now, so what came before it was late, or a copy of what the NAK did not see. It sends
    // again all behind the PSN that is missing, so a single packet is rather a copy of the answer.
    const soon = same && run.waited < SHORTEST_TIMEOUT_NS;
    if (soon && held.seen === 0) this.#late(held);
    else if (soon && !single) this.duplicated.addAll(held.packets);
    else if (!asked && single && run.fresh === 0) this.#held = held;
    else {
      this.#resent(held, 'nak');
      if (same) return null;
    }
    return asked;
  }

  #cause(run: Run, wentOn: boolean, answers: Answers): Cause | 'duplicated' {
    const { waited, fresh, read } = run;
    const single = run.packets.total === 1;
    const quick = fresh === 0 && waited < SHORTEST_TIMEOUT_NS;
    // A requester that goes back sends all up to where it was, and a NAK asks for it; a copy on the way is one packet.
    const copy = wentOn && quick && single && (run.whole || answers === 'all');
    if (read) {
      if (answers !== 'all') return answers === 'none' ? 'one-way' : 'cut';
      if (copy && run.firstSame && !run.passedOver && run.crossed === null)
        return run.acknowledged || run.covered ? 'unexplained' : 'duplicated';
      if (timedOut(run)) return 'timeout';
      if (run.before) return 'before';
      return (run.passedOver || run.acknowledged) && run.crossed === null ? 'read' : 'unexplained';
    }
    if (copy && answers !== 'cut') return 'duplicated';
    if (answers === 'none') return 'one-way';
    if (run.acknowledged) return timedOut(run) ? 'lost-ack' : 'unexplained';
    if (run.before) return 'before';
    if (answers === 'cut') return 'cut';
    return timedOut(run) ? 'timeout' : 'unexplained';
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

  #resent(run: Run, cause: Cause | 'duplicated'): void {
    if (cause === 'duplicated') return this.duplicated.addAll(run.packets);
    this.causes[cause].add(run);
    this.gaps.sentAgain(run.first, run.last);
  }
}
