import { Mark } from '../models/marks.js';
import type { Asks } from './asks.js';
import type { PacketFacts } from './facts.js';
import { ownResponse } from './messages.js';
import type { Requester } from './requester.js';
import type { Reuse } from './reuse.js';
import { addTo, LONG_WAIT_NS, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Run } from './runs.js';
import { IN_FLIGHT, type Sequence } from './sequence.js';
import { Sample } from '../base/sample.js';

/** New packets that may arrive late between the packets of a run. */
const FEW = 8;

/** Groups the requests that go back into runs, whatever copies and late packets come between. */
export class GoingBack {
  #run: Run | null = null;
  /** A run that a single packet interrupted. The next packet shows if the requester went back again. */
  #interrupted: Run | null = null;
  /**
   * A run that new packets interrupted before it reached `next`. They may have arrived late, and then the run goes on.
   */
  #left: { last: number; next: number } | null = null;
  /** True if the last request was beyond all earlier ones. */
  #ahead = true;
  #lastPlace = -1;
  /** Requests at or behind a PSN already passed, and the part of them that the capture held already. */
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

  /** Clears the counts, because the order of the packets is not known. */
  withhold(): void {
    this.packets = this.seen = this.recovered = 0;
  }

  /** Removes a run from the counts: its packets began a new connection. */
  forget(run: Run): void {
    this.packets -= run.packets.total;
    this.seen -= run.seen;
    this.recovered -= run.fresh;
    if (this.#run === run) this.#run = null;
  }

  /** Runs before each request, which shows if an interrupted run goes on. */
  comes(position: number, t: number): void {
    if (this.#interrupted) this.#resume(position, t - this.#of.lastRequest.t);
  }

  /** Runs for a request beyond all earlier ones. */
  goesOn(p: PacketFacts, position: number): void {
    const run = this.#run;
    const { next } = this.#sequence;
    if (run !== null && !run.whole && p.t - this.#of.lastRequest.t < SHORTEST_TIMEOUT_NS)
      this.#left = { last: run.last, next };
    else if (this.#left !== null && next - this.#left.next > FEW) this.#left = null;
    // Behind a gap, the run may have been longer: its other packets may have been lost as well.
    this.endRun(position === next);
  }

  /** Runs after each request. */
  came(p: PacketFacts, ahead: boolean): void {
    this.#ahead = ahead;
    if (!this.#run) this.#lastPlace = p.place;
  }

  /** Ends the last run. No request may follow. */
  end(): void {
    if (this.#interrupted) this.#resume(-Infinity, 0);
    // Nothing follows a second copy of the very last packet.
    const run = this.#run;
    this.endRun(
      run !== null && run.packets.total === 1 && run.first === this.#sequence.next - 1 && !run.read,
    );
  }

  back(p: PacketFacts, position: number, known: number, span: number | undefined): void {
    let run = this.#run;
    // A PSN that was captured this recently may be a copy or late. Otherwise the requester goes back once more.
    const recent =
      run !== null &&
      p.t - Math.max(this.#sequence.lastT(position), this.#sequence.overtakenT(position)) <
        SHORTEST_TIMEOUT_NS;
    if (run && position <= run.last) {
      // A copy of a packet that was just sent again is no second retransmission.
      const asked = this.#asks.last !== null && this.#asks.last !== run.asked;
      const named =
        this.#asks.named(position, p.t) ||
        this.#asks.waitedFor(position, p.t, this.#of.acknowledged, ownResponse(p));
      const copy = known !== 0 && recent && run.packets.total > 1 && !asked && !named;
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
      // The retransmission may have begun with this READ, whatever NAK names the packets behind it.
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
    // A run answers a NAK if it sends the packet that the NAK names.
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

  /** True if the run is a single packet that came again soon, and `p` begins another run, further on or much later. */
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
      waitedLonger: known === 0 && position < 0,
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
      waitedFor: this.#asks.waitedFor(position, p.t, this.#of.acknowledged, ownResponse(p)),
      before: position < 0,
      early: this.#of.early(position, p.t),
      atStart: this.#atStart(position, p.t),
      followed: this.#sequence.next - 1 - position,
      wrong: known === 0 ? this.#sequence.wrongAt(position) : 0,
      elsewhere: p.place !== this.#lastPlace && this.#lastPlace >= 0,
      whole: false,
      unreliable: p.info!.transport === 'UC',
    };
  }

  /** True if even the first message of a connection may have been in flight when the capture began. */
  #atStart(position: number, t: number): boolean {
    const { startT } = this.#of;
    return position < IN_FLIGHT && startT < LONG_WAIT_NS && t - startT < LONG_WAIT_NS;
  }

  #interrupt(run: Run): void {
    this.#run = null;
    this.#interrupted = run;
    this.#answeredBy(run);
  }

  /**
   * Decides on a packet that interrupted a run. If the next request continues the run, the packet was a copy or late.
   * Otherwise the requester went back again. `quiet`: nanoseconds since the last request.
   */
  #resume(position: number, quiet: number): void {
    const before = this.#interrupted!;
    const run = this.#run;
    this.#interrupted = null;
    // Two copies in a row, after which the run goes on.
    const two = run?.packets.total === 2 && run.last < before.last && position === before.last + 1;
    if (!run || (run.packets.total > 1 && !two) || quiet >= LONG_WAIT_NS)
      return this.#ended(before, position >= this.#sequence.next);
    // After a pause, the requester may as well have gone back again.
    before.crossed ||= quiet >= SHORTEST_TIMEOUT_NS;
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
    // `run` was a copy, if the run that had begun among new packets continues right where it was.
    run.amid = before.amid || run.seen === 0 || position !== before.last + 1;
    if (run.first === before.first && before.packets.total === 1) {
      // Either packet may be the copy. The packets that follow decide on the run itself.
      this.#of.runs.doubtful.addAll(before.packets);
      this.#of.runs.doubtful.addAll(run.packets);
      before.packets.clear();
    } else this.#ended(run, true);
  }

  /** Joins two parts of a run whose first packet was overtaken by the others. */
  #lead(run: Run, before: Run): void {
    this.#reuse.replace(before, run);
    addTo(run, before);
  }

  /** Joins two parts of a run that skipped packets in between. */
  #join(before: Run, run: Run): void {
    this.#reuse.drop(run);
    addTo(before, run);
    this.#run = before;
  }

  /** Ends the run. `wentOn`: because of a request beyond all earlier ones. */
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

  /** Settles the NAK that the requester answered by going back. A NAK that a late packet crossed stays open. */
  #answeredBy(run: Run): void {
    if (run.packets.total > 1 && run.seen > 0) this.#asks.heeded(run.asked, run.first);
  }
}
