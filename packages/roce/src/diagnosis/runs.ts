import type { Gaps } from './gaps.js';
import { Sample } from '../base/sample.js';

/** A NAK or RNR NAK, and the PSN that it names. */
export interface Asked {
  by: 'nak' | 'rnr';
  position: number;
  t: number;
  /** A requester that heeds it sends again no sooner. */
  notBefore: number;
}

/**
 * A requester went back: its packets have PSNs before the highest one sent. The run ends where it goes on or goes
 * back again, and only then can its cause be told.
 */
export interface Run {
  t: number;
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
  /** Since the first PSN or the next one was captured before: after longer, it is no packet that is late. */
  age: number;
  /** Since the first PSN itself was captured. */
  ownAge: number;
  /** A NAK names the second packet of the run, or the run may have begun before and for another cause. */
  crossed: boolean;
  /** It did not interrupt new packets, but others that came again or late. */
  amid: boolean;
  /** How many PSNs the first packet takes is not known. */
  uncertain: boolean;
  /** Responses to what was sent before the first PSN were passed over and did not come. */
  lacking: boolean;
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
  /** A recent NAK names the first PSN, whatever answers, runs and NAKs came since. */
  named: boolean;
  /** An RNR NAK may have asked for it, though answers and NAKs came since. */
  waitedFor: boolean;
  /** The run begins before the first captured request. */
  before: boolean;
  /** The first PSN may have been under way when the capture began, and a NAK of it have come before. */
  early: boolean;
  /** Packets beyond the first that were captured before the run. */
  followed: number;
  /** The capture holds the first packet with a wrong ICRC: its number. */
  wrong: number;
  /** All was captured at another place than the packet before. */
  elsewhere: boolean;
  /** The run reaches the highest PSN sent. */
  whole: boolean;
  /** Of a transport that repeats nothing. */
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

/** What the capture holds of the answers to a requester. */
export type Answers = 'none' | 'all' | 'cut';

/**
 * A requester that has to wait for a timeout waits at least that long (the shortest timeouts that devices allow are
 * longer), and a packet that was overtaken or duplicated on the way is not that late.
 */
export const SHORTEST_TIMEOUT_NS = 500_000;
/** After so long, a requester that did not pause has waited for a timeout as well. */
export const LONG_WAIT_NS = 4_000_000;
/** After so long, one that a NAK had asked has as well: sooner, a busy host may only now answer the NAK. */
export const ASKED_WAIT_NS = 50_000_000;

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

/** READs that wait for the end of their connection. */
const MOST_ALONE = 1 << 10;

/** Single copies and late packets look like that, too: a requester that goes back sends all up to where it was. */
const isShort = ({ packets: { total }, seen, whole }: Run): boolean =>
  total === 1 || seen === 0 || (total === 2 && !whole);

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
  /** Copies, late packets or retransmissions: what the capture holds fits more than one of them. */
  readonly doubtful = new Sample();
  longestOvertaken = 0;
  /** From a NAK to the run that answers it. */
  #fastest = Infinity;
  /** Came late after a NAK: late on the way if the requester answers that NAK only then. */
  #held: Run | null = null;
  /** READs that were asked for again whole and alone, as a copy on the way looks as well. */
  #alone: Run[] = [];

  constructor(readonly gaps: Gaps) {}

  /** Doubtful ones included. */
  get retransmissions(): number {
    return Object.values(this.causes).reduce((sum, { packets }) => sum + packets, this.doubtful.total);
  }

  ended(run: Run, wentOn: boolean, answers: Answers): void {
    const held = this.#held;
    this.#held = null;
    if (held) this.#settle(held, run);
    if (run.packets.total === 0) return;
    // The other place of capture holds what this one missed, or the same once more.
    if (run.elsewhere && !run.read && !run.asked && (run.seen === 0 || run.packets.total === 1))
      return this.gaps.late(run.first, run.last);
    if (run.asked?.by === 'rnr') return this.#resent(run, 'rnr');
    if (run.age < SHORTEST_TIMEOUT_NS && isShort(run)) this.#short(run, wentOn, answers);
    else this.#resent(run, this.#cause(run, answers));
  }

  /** Few packets soon after: a copy on the way and a late packet look like that, and a run of which the rest was lost. */
  #short(run: Run, wentOn: boolean, answers: Answers): void {
    if (run.unreliable) return run.seen === 0 ? this.#late(run) : this.duplicated.addAll(run.packets);
    if (run.read && run.firstSeen && !run.firstSame && answers === 'all')
      return this.#resent(run, this.#cause(run, answers));
    if (run.seen === 0 && run.asked && wentOn) {
      this.#held = run;
      return;
    }
    // Whoever answers a NAK sends all that follows as well. A packet that comes among them may be part of what is sent again.
    if (run.named || run.waitedFor || run.asked || run.amid || !wentOn) return this.#doubt(run);
    // What had been acknowledged had arrived before.
    if (run.seen === 0)
      return run.before || run.acknowledged || answers !== 'all' ? this.#doubt(run) : this.#late(run);
    if (run.packets.total > 1 || run.ownAge >= SHORTEST_TIMEOUT_NS) return this.#doubt(run);
    if (!run.read)
      return answers === 'all' || (answers === 'none' && run.whole)
        ? this.duplicated.addAll(run.packets)
        : this.#doubt(run);
    if (answers !== 'all') return this.#doubt(run);
    if (run.passedOver && run.whole && this.#alone.length < MOST_ALONE) this.#alone.push(run);
    else if (run.passedOver || run.acknowledged || run.covered) this.#doubt(run);
    else this.duplicated.addAll(run.packets);
  }

  /** The NAK that a late packet crossed is answered by `run`, or is not. */
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
      // As long as the shortest timeout, and long or with nothing else on the wire; or the run began before, for a missing response.
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
      // A NAK, maybe from before the capture, may reach the requester late or twice; it names no response in the middle of a READ.
      if (run.named || (run.early && !(run.firstSeen && !run.firstSame))) return 'unexplained';
      return run.passedOver || run.acknowledged ? 'read' : 'unexplained';
    }
    if (answers === 'none') return 'one-way';
    if (run.acknowledged) return timedOut(run) ? 'lost-ack' : 'unexplained';
    if (run.before) return 'before';
    if (answers === 'cut') return 'cut';
    return timedOut(run) ? 'timeout' : 'unexplained';
  }

  /** `copies`: other packets came twice. */
  end(copies: boolean): void {
    if (this.#held) this.#doubt(this.#held);
    this.#held = null;
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
