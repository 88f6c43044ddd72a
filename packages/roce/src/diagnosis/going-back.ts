import { Mark } from '../models/marks.js';
import type { Asks } from './asks.js';
import type { PacketFacts } from './facts.js';
import { ownResponse } from './messages.js';
import type { Requester } from './requester.js';
import type { Reuse } from './reuse.js';
import { addTo, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Run } from './runs.js';
import type { Sequence } from './sequence.js';
import { Sample } from '../base/sample.js';

/** New packets that may come late between those of a run. */
const FEW = 8;

/** Puts the requests that go back together to runs, whatever copies and late packets come between. */
export class GoingBack {
  #run: Run | null = null;
  /** A run that a single packet interrupts: the next one tells whether the requester went back again. */
  #interrupted: Run | null = null;
  /** A run that did not reach up to `next`, and what came late between may be no end of it. */
  #left: { last: number; next: number } | null = null;
  /** The last request was beyond all before. */
  #ahead = true;
  #lastPlace = -1;
  /** Requests at or behind a PSN already passed; of them, those that the capture held. */
  packets = 0;
  seen = 0;
  /** PSNs that were skipped and came later. */
  recovered = 0;
  readonly #of: Requester;
  readonly #sequence: Sequence;
  readonly #asks: Asks;
  readonly #reuse: Reuse;

  constructor(of: Requester, sequence: Sequence, asks: Asks, reuse: Reuse) {
    this.#of = of;
    this.#sequence = sequence;
    this.#asks = asks;
    this.#reuse = reuse;
  }

  restart(): void {
    this.#run = this.#interrupted = this.#left = null;
  }

  /** The order of the packets is not known. */
  withhold(): void {
    this.packets = this.seen = this.recovered = 0;
  }

  /** What it holds began a new connection. */
  forget(run: Run): void {
    this.packets -= run.packets.total;
    this.seen -= run.seen;
    this.recovered -= run.fresh;
    if (this.#run === run) this.#run = null;
  }

  /** A request comes, and tells what became of a run that was interrupted. */
  comes(position: number): void {
    if (this.#interrupted) this.#resume(position);
  }

  /** A request beyond all before. */
  goesOn(p: PacketFacts): void {
    const run = this.#run;
    const { next } = this.#sequence;
    if (run !== null && !run.whole && p.t - this.#of.lastRequest.t < SHORTEST_TIMEOUT_NS)
      this.#left = { last: run.last, next };
    else if (this.#left !== null && next - this.#left.next > FEW) this.#left = null;
    this.endRun(true);
  }

  /** A request has come. */
  came(p: PacketFacts, ahead: boolean): void {
    this.#ahead = ahead;
    if (!this.#run) this.#lastPlace = p.place;
  }

  /** No more will come. */
  end(): void {
    if (this.#interrupted) this.#resume(-Infinity);
    // A second copy of the very last packet is followed by nothing.
    const run = this.#run;
    this.endRun(
      run !== null && run.packets.total === 1 && run.first === this.#sequence.next - 1 && !run.read,
    );
  }

  back(p: PacketFacts, position: number, known: number, span: number | undefined): void {
    let run = this.#run;
    // On its way for so long, it may be a copy or late; else the requester goes back once more.
    const recent =
      run !== null &&
      p.t - Math.max(this.#sequence.lastT(position), this.#sequence.overtakenT(position)) <
        SHORTEST_TIMEOUT_NS;
    if (run && position <= run.last) {
      // A copy of what has just been sent again is no second retransmission.
      const asked = this.#asks.last !== null && this.#asks.last !== run.asked;
      const copy =
        known !== 0 && recent && run.packets.total > 1 && !asked && !this.#asks.named(position, p.t);
      if (copy && position === run.last && !ownResponse(p)) {
        this.#of.runs.duplicated.add(p.number);
        this.#countBack(p, known);
        return;
      }
      if (recent) this.#interrupt(run);
      else this.endRun(false);
      run = null;
    } else if (run && recent && position > run.last + 1 && run.packets.total > 1) {
      this.#interrupt(run);
      run = null;
    }
    let crossed =
      this.#left !== null && position > this.#left.last && this.#sequence.next - this.#left.next <= FEW;
    if (run && this.#astray(run, p, position)) {
      // It may have begun with a READ, whatever names what comes behind.
      crossed ||= run.read;
      this.endRun(false);
      run = null;
    }
    this.#left = null;
    if (!run) {
      this.#reuse.settleEnded();
      this.#run = run = this.#newRun(p, position, known, span);
      run.crossed = crossed;
      if (p.info!.first) this.#of.mayBegin(p, position, run, null);
    }
    if (ownResponse(p)) {
      const answered = run.packets.total === 0 && (run.acknowledged || run.answered);
      this.#of.responses.askAgain(position, position + (span ?? 1), p.number, answered);
    }
    // A NAK that names what the run sends anyway is answered by that.
    if (run.packets.total > 0) {
      run.crossed ||=
        run.asked === null && run.packets.total === 1 && this.#asks.unheeded(position, p.t) !== null;
      this.#asks.sentAgain(position);
    }
    run.elsewhere &&= p.place !== this.#lastPlace;
    run.last = Math.max(run.last, position + (span ?? 1) - 1);
    run.whole = run.last >= this.#sequence.next - 1;
    run.packets.add(p.number);
    this.#countBack(p, known);
    if (known === 0) {
      run.fresh++;
      this.recovered++;
      this.#of.gaps.filled(position, span ?? 1);
    } else run.seen++;
  }

  /** One packet that came again soon, and another run behind it that begins further on, or much later. */
  #astray(run: Run, p: PacketFacts, position: number): boolean {
    if (run.packets.total !== 1 || run.age >= SHORTEST_TIMEOUT_NS || run.uncertain) return false;
    if (p.t - this.#of.lastRequest.t >= SHORTEST_TIMEOUT_NS) return true;
    return position > run.last + 1 && !(run.read && run.passedOver);
  }

  #countBack(p: PacketFacts, known: number): void {
    p.marks |= Mark.retransmission;
    this.packets++;
    if (known === 0) return;
    p.marks |= Mark.duplicate;
    this.seen++;
  }

  #newRun(p: PacketFacts, position: number, known: number, span: number | undefined): Run {
    const own = this.#sequence.lastT(position);
    const overtaking = this.#sequence.overtakenT(position);
    const since = Math.max(known === 0 ? overtaking : own, 0);
    const acknowledged = this.#of.isAcknowledged(position);
    const last = this.#asks.explaining(position, p.t, ownResponse(p), this.#of.acknowledged);
    const asked = last ?? (ownResponse(p) ? null : this.#asks.unheeded(position, p.t));
    if (asked?.by === 'rnr') this.#of.notReady.answered(p.t);
    return {
      t: p.t,
      first: position,
      last: position,
      packets: new Sample(),
      seen: 0,
      fresh: 0,
      firstSeen: known !== 0,
      firstSame: this.#sequence.begins(position),
      waited: p.t - Math.max(since, acknowledged && !ownResponse(p) ? 0 : this.#of.lastAnswerT),
      quiet: p.t - Math.max(this.#of.lastRequest.t, this.#of.lastAnswerT),
      age: p.t - Math.max(own, overtaking),
      ownAge: p.t - own,
      uncertain: span === undefined,
      crossed: false,
      amid: !this.#ahead,
      lacking: this.#of.responses.lacksBefore(position),
      asked,
      acknowledged,
      read: ownResponse(p),
      passedOver: this.#of.responses.passedOver(position),
      covered: !acknowledged && position < this.#of.acknowledged,
      named: this.#asks.named(position, p.t),
      answered: !this.#sequence.begins(position) && this.#of.responses.has(position - 1),
      waitedFor: this.#asks.waitedFor(position, p.t, this.#of.acknowledged),
      before: position < 0,
      early: this.#of.early(position, p.t),
      followed: this.#sequence.next - 1 - position,
      wrong: known === 0 ? this.#sequence.wrongAt(position) : 0,
      elsewhere: p.place !== this.#lastPlace && this.#lastPlace >= 0,
      whole: false,
      unreliable: p.info!.transport === 'UC',
    };
  }

  #interrupt(run: Run): void {
    this.#run = null;
    this.#interrupted = run;
    this.#answeredBy(run);
  }

  /**
   * A packet of a run came out of its order, and the next one tells: where that goes on behind the run, it was a copy or
   * late; else the requester went back again.
   */
  #resume(position: number): void {
    const before = this.#interrupted!;
    const run = this.#run;
    this.#interrupted = null;
    // Two copies in a row, and the run goes on behind them.
    const two = run?.packets.total === 2 && run.last < before.last && position === before.last + 1;
    if (!run || (run.packets.total > 1 && !two)) return this.#ended(before, position >= this.#sequence.next);
    if (run.packets.total === 1 && position > run.last && position <= before.last) {
      this.#interrupted = before;
      return;
    }
    if (run.first > before.last && position > run.last) return this.#join(before, run);
    if (position <= before.last || position >= this.#sequence.next)
      return this.#ended(before, position >= this.#sequence.next);
    if (run.last + 1 === before.first && before.asked?.position !== before.first)
      return this.#lead(run, before);
    this.#reuse.drop(run);
    this.#run = before;
    // A copy: what had begun among new packets goes on right where it was.
    run.amid = before.amid || run.seen === 0 || position !== before.last + 1;
    if (run.first === before.first && before.packets.total === 1) {
      // Either of them may be the copy; the run itself is told from what follows.
      this.#of.runs.doubtful.addAll(before.packets);
      this.#of.runs.doubtful.addAll(run.packets);
      before.packets.clear();
    } else this.#ended(run, true);
  }

  /** The first packet of a run was overtaken by those behind it. */
  #lead(run: Run, before: Run): void {
    this.#reuse.replace(before, run);
    addTo(run, before);
  }

  /** What a run jumped to was a part of it. */
  #join(before: Run, run: Run): void {
    this.#reuse.drop(run);
    addTo(before, run);
    this.#run = before;
  }

  /** It ends the run. `wentOn`: with a request beyond all before. */
  endRun(wentOn: boolean): void {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    this.#ended(run, wentOn);
    this.#answeredBy(run);
  }

  #ended(run: Run, wentOn: boolean): void {
    const { answered } = this.#of;
    const ended = (): void => this.#of.runs.ended(run, wentOn, answered);
    if (!this.#reuse.defer(run, ended)) ended();
  }

  /** A NAK that is answered by going back is done with; one that a late packet crossed is not. */
  #answeredBy(run: Run): void {
    if (run.packets.total > 1 && run.seen > 0) this.#asks.heeded(run.asked, run.first);
  }
}
