import type { Gaps } from './gaps.js';
import { Sample } from '../base/sample.js';

/** A NAK or RNR NAK, and the PSN that it names. */
export interface Asked {
  by: 'nak' | 'rnr';
  position: number;
  t: number;
  /** Earliest time of a retransmission by a requester that heeds the NAK. */
  notBefore: number;
}

/**
 * Packets of a requester that went back: their PSNs are before the highest one sent. The run ends where the requester
 * goes on or goes back again. Its cause can be found only then.
 */
export interface Run {
  t: number;
  first: number;
  last: number;
  packets: Sample;
  /** Packets whose PSN the capture holds from before; the others fill a gap. */
  seen: number;
  fresh: number;
  /** True if the first packet was captured before. */
  firstSeen: boolean;
  /** True if the first packet is the same request as before. A READ that asks for the rest is another request. */
  firstSame: boolean;
  /** Time from the sending of the first PSN, or from the last answer if that came later, to the run, ns. */
  waited: number;
  /** True if the first PSN was sent before the capture, so that the time is longer. */
  waitedLonger: boolean;
  /** Time since the previous packet in either direction, ns. */
  quiet: number;
  /** Time since the first PSN or the next captured one, ns. A long time rules out a late packet. */
  age: number;
  /** Time since the first PSN itself was captured, ns. */
  ownAge: number;
  /** True if a NAK names the second packet of the run, or if the run may have begun earlier and for another cause. */
  crossed: boolean;
  /** True if the run interrupted packets that came again or late, and not new ones. */
  amid: boolean;
  /** True if the number of PSNs that the first packet takes is not known. */
  uncertain: boolean;
  /** True if responses to requests before the first PSN were passed over and did not come. */
  lacking: boolean;
  /** An unanswered NAK or RNR NAK that names the first PSN, or one right before it. */
  asked: Asked | null;
  /** True if an ACK of the first PSN had been captured; for a READ or an atomic, its response. */
  acknowledged: boolean;
  /** True if the first packet is a READ or an atomic, which only its responses complete. */
  read: boolean;
  /** True if a later response than the first one asked for had been captured. */
  passedOver: boolean;
  /** True if an ACK of the first PSN had been captured, but not the response that is due. */
  covered: boolean;
  /** True if the run asks for the rest of a READ: the capture holds the response before the first one asked for. */
  answered: boolean;
  /** True if a recent NAK names the first PSN, whatever answers, runs and NAKs came since. */
  named: boolean;
  /** True if an RNR NAK may have asked for the run, though answers and NAKs came since. */
  waitedFor: boolean;
  /** True if the run begins before the first captured request. */
  before: boolean;
  /** True if the first PSN may have been in flight when the capture began, so that a NAK of it may have come before. */
  early: boolean;
  /** True if the first PSN may have been in flight when the capture began, even if the connection began just before it. */
  atStart: boolean;
  /** Packets beyond the first that were captured before the run. */
  followed: number;
  /** Number of the packet that holds the first PSN with a wrong ICRC; 0 if there is none. */
  wrong: number;
  /** True if all packets were captured at another place than the packet before. */
  elsewhere: boolean;
  /** True if the run reaches the highest PSN sent. */
  whole: boolean;
  /** True for UC, which sends nothing again. */
  unreliable: boolean;
}

/** Adds the packets of another run. */
export function addTo(run: Run, other: Run): void {
  run.packets.addAll(other.packets);
  run.seen += other.seen;
  run.fresh += other.fresh;
  run.last = Math.max(run.last, other.last);
  run.whole ||= other.whole;
  run.elsewhere &&= other.elsewhere;
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

/** Answers to a requester in the capture. `cut`: the AETH of some is cut off. */
export type Answers = 'none' | 'all' | 'cut';

/**
 * Shortest wait for a timeout: the shortest timeouts that devices allow are longer, and a packet that was overtaken or
 * duplicated on the way is not that late.
 */
export const SHORTEST_TIMEOUT_NS = 500_000;
/** Wait after which a timeout is likely even if the requester did not pause. */
export const LONG_WAIT_NS = 4_000_000;
/** Wait after which a timeout is likely even after a NAK: sooner, a busy host may only now answer the NAK. */
export const ASKED_WAIT_NS = 50_000_000;

/** Retransmissions of one cause. */
export class Resent {
  runs = 0;
  /** First packets of the runs, which are the packets asked for. */
  readonly heads = new Sample();
  packets = 0;
  /** Packets that the capture held already. */
  seen = 0;
  /** Runs whose first PSN the capture held already. */
  headsSeen = 0;
  longestWait = 0;
  totalWait = 0;
  /** True if a wait was longer, because it began before the capture. */
  waitedLonger = false;
  /** Runs that a NAK had asked for long before. */
  asked = 0;
  /**
   * Runs that ask for responses again, and among them those whose first response the capture holds, those that a later
   * response passed, and those whose request the responder surely has.
   */
  reads = 0;
  readsHeld = 0;
  readsPassed = 0;
  readsAnswered = 0;
  /** Runs whose first packet had followers in the capture, and the fewest of these. */
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
    this.waitedLonger ||= run.waitedLonger;
  }
}

/**
 * True if the wait shows a timeout. For a PSN from before the capture, answers before the match are not known, but
 * silence is.
 */
const timedOut = ({ waited, quiet, before, firstSeen }: Run): boolean =>
  (waited >= LONG_WAIT_NS && (firstSeen || !before)) ||
  (waited >= SHORTEST_TIMEOUT_NS && quiet >= SHORTEST_TIMEOUT_NS);

/** Limit of runs of a kind that wait for the end of their connection. */
const MOST_ALONE = 1 << 10;

/**
 * True if single copies or late packets could look like this run: a requester that goes back sends all up to where it
 * was.
 */
const isShort = ({ packets: { total }, seen, whole }: Run): boolean =>
  total === 1 || seen === 0 || (total === 2 && !whole);

/** Decides on the causes of the runs of one requester. */
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
  /** Packets that may be copies, late packets or retransmissions: the capture fits more than one of them. */
  readonly doubtful = new Sample();
  longestOvertaken = 0;
  /** Shortest time from a NAK to the run that answers it, ns. */
  #fastest = Infinity;
  /** A packet that came late after a NAK. The network delayed it if the requester answers that NAK only afterward. */
  #held: Run | null = null;
  /** READs that were repeated whole and alone. A copy on the way looks the same. */
  #alone: Run[] = [];
  /**
   * Single packets that came again at the beginning of the capture. An earlier NAK may have named such a packet, and
   * the packets behind it, new in the capture, may have been sent before as well.
   */
  #early: Run[] = [];

  constructor(readonly gaps: Gaps) {}

  /** Number of retransmitted packets, doubtful ones included. */
  get retransmissions(): number {
    return Object.values(this.causes).reduce((sum, { packets }) => sum + packets, this.doubtful.total);
  }

  ended(run: Run, wentOn: boolean, answers: Answers): void {
    const held = this.#held;
    this.#held = null;
    if (held) this.#settle(held, run);
    if (run.packets.total === 0) return;
    // The other place of capture holds packets that this one missed, or the same packet once more.
    if (run.elsewhere && !run.read && !run.asked && (run.seen === 0 || run.packets.total === 1))
      return this.gaps.late(run.first, run.last);
    if (run.asked?.by === 'rnr') return this.#resent(run, 'rnr');
    if (run.age < SHORTEST_TIMEOUT_NS && isShort(run)) this.#short(run, wentOn, answers);
    else this.#resent(run, this.#cause(run, answers));
  }

  /** Decides on a few packets soon after others: a copy on the way, a late packet, or a run whose rest was lost. */
  #short(run: Run, wentOn: boolean, answers: Answers): void {
    if (run.unreliable) return run.seen === 0 ? this.#late(run) : this.duplicated.addAll(run.packets);
    if (run.read && run.firstSeen && !run.firstSame && answers === 'all')
      return this.#resent(run, this.#cause(run, answers));
    if (run.seen === 0 && run.asked && wentOn) {
      this.#held = run;
      return;
    }
    // A requester that answers a NAK sends all the following packets as well. A packet among them may be part of the
    // retransmission.
    if (run.named || run.waitedFor || run.asked || run.amid || !wentOn) return this.#doubt(run);
    // Acknowledged packets had arrived before.
    if (run.seen === 0)
      return run.before || run.acknowledged || answers !== 'all' ? this.#doubt(run) : this.#late(run);
    if (run.packets.total > 1 || run.ownAge >= SHORTEST_TIMEOUT_NS) return this.#doubt(run);
    if (!run.read) {
      if (answers !== 'all' && !(answers === 'none' && run.whole)) return this.#doubt(run);
      if (run.early && run.whole && this.#early.length < MOST_ALONE) this.#early.push(run);
      else this.duplicated.addAll(run.packets);
      return;
    }
    if (answers !== 'all') return this.#doubt(run);
    if (run.passedOver && run.whole && this.#alone.length < MOST_ALONE) this.#alone.push(run);
    else if (run.passedOver || run.acknowledged || run.covered) this.#doubt(run);
    else this.duplicated.addAll(run.packets);
  }

  /** Decides on a late packet that crossed a NAK, by whether `run` answers that NAK. */
  #settle(held: Run, run: Run): void {
    const since = (of: Run): number => of.t - held.asked!.t;
    if (run.asked === held.asked && !isShort(run) && 2 * since(held) < since(run)) this.#late(held);
    else this.#doubt(held);
  }

  #cause(run: Run, answers: Answers): Cause | 'doubtful' {
    const { waited, quiet, asked, read } = run;
    if (run.crossed) return 'doubtful';
    if (asked) {
      if (waited >= ASKED_WAIT_NS) return 'timeout';
      // The wait fits a timeout too: it is long, or nothing else was on the wire. Or the run began earlier, for a
      // missing response.
      if (waited >= LONG_WAIT_NS || quiet >= SHORTEST_TIMEOUT_NS || run.lacking) return 'doubtful';
      const reaction = run.t - asked.t;
      // A NAK that crosses a run looks as if it were answered at once.
      if (2 * reaction < this.#fastest) {
        if (this.#fastest < Infinity) return 'doubtful';
      }
      this.#fastest = Math.min(this.#fastest, reaction);
      return 'nak';
    }
    if (run.waitedFor) return 'doubtful';
    if (read) {
      if (answers !== 'all') return answers === 'none' ? 'one-way' : 'cut';
      if (timedOut(run)) return 'timeout';
      if (run.before) return 'before';
      // A NAK, maybe from before the capture, may reach the requester late or twice. No NAK names a response in the
      // middle of a READ.
      if (run.named || ((run.early || run.atStart) && !(run.firstSeen && !run.firstSame)))
        return 'unexplained';
      return run.passedOver || run.acknowledged ? 'read' : 'unexplained';
    }
    if (answers === 'none') return 'one-way';
    if (run.acknowledged) return timedOut(run) ? 'lost-ack' : 'unexplained';
    if (run.before) return 'before';
    if (answers === 'cut') return 'cut';
    return timedOut(run) ? 'timeout' : 'unexplained';
  }

  /** `copies`: true if other packets came twice. */
  end(copies: boolean): void {
    if (this.#held) this.#doubt(this.#held);
    this.#held = null;
    const early = this.#early;
    this.#early = [];
    const duplicates = copies || early.length > 1 || this.duplicated.total > 0;
    for (const run of early)
      if (duplicates) this.duplicated.addAll(run.packets);
      else this.#doubt(run);
    const alone = this.#alone;
    this.#alone = [];
    for (const run of alone) {
      const again = alone.some((other) => other !== run && other.first === run.first);
      if (copies || again || this.duplicated.total > 0) this.#doubt(run);
      else this.#resent(run, 'read');
    }
  }

  #late(run: Run): void {
    this.reordered.addAll(run.packets);
    this.longestOvertaken = Math.max(this.longestOvertaken, run.age);
    this.gaps.late(run.first, run.last);
  }

  #doubt(run: Run): void {
    this.doubtful.addAll(run.packets);
    this.gaps.doubted(run.first, run.last);
  }

  #resent(run: Run, cause: Cause | 'doubtful'): void {
    if (cause === 'doubtful') return this.#doubt(run);
    this.causes[cause].add(run);
    this.gaps.sentAgain(run.first, run.last);
  }
}
