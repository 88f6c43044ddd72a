import { Mark } from '../columns/marks.js';
import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import { Gaps } from './gaps.js';
import { ReceiverNotReady } from './not-ready.js';
import { Runs } from './runs.js';
import type { Asked, Run } from './runs.js';
import { SentPsns } from './sent.js';
import { Sample } from './types.js';

/** A jump further than this is a reused QP number, not a loss: no device has that much in flight. */
const NEW_CONNECTION = 1 << 16;

/** The first packets of a retransmission may be lost again: so far behind the PSN of a NAK it may begin in the capture. */
const LOST_AGAIN = 8;

/**
 * Follows the requests that go one way and the answers to them. Positions are PSNs with the 24-bit wrap undone. Memory
 * is bounded.
 */
export class Requester {
  started = false;
  #base = 0;
  /** Position that a new request must have. */
  next = 0;
  /** All before it is acknowledged in the capture. */
  acknowledged = 0;
  /** One past the highest position of a READ response. */
  #responded = 0;
  /** The last new request was a READ whose number of responses is not known. */
  #uncertain = false;
  #run: Run | null = null;
  #asked: Asked | null = null;
  #lastAnswerT = -Infinity;
  readonly #sent = new SentPsns();
  readonly gaps = new Gaps();
  readonly runs = new Runs(this.gaps);
  readonly notReady = new ReceiverNotReady();
  /** By NAK code. */
  readonly naks = new Map<number, Sample>();
  readonly missingResponses = new Sample();
  missingResponsePsns = 0;
  readonly repeatedResponses = new Sample();
  /** PSNs that were skipped and came later. */
  recovered = 0;
  /** Acknowledged, and not in the capture. */
  unseen = 0;
  unseenIn = new Sample();
  lastRequest = { number: 0, t: 0 };
  answers = 0;
  restarts = 0;

  #place(psn: number): number {
    return this.next + psnDistance((this.#base + this.next) & 0xffffff, psn);
  }

  /** Whether an answer with this PSN may be to requests of this one. */
  mayAnswer(psn: number): boolean {
    if (!this.started) return false;
    const ahead = this.next - this.#place(psn);
    return ahead >= 0 && ahead <= NEW_CONNECTION && this.#place(psn) >= 0;
  }

  /** True where the capture sees its payload for the first time. `span`: PSNs that it takes; undefined if not known. */
  request(p: PacketFacts, span: number | undefined): boolean {
    if (!this.started) {
      this.started = true;
      this.#restart(p.psn);
    }
    let position = this.#place(p.psn);
    if (Math.abs(position - this.next) > NEW_CONNECTION) {
      this.end();
      this.restarts++;
      this.#restart(p.psn);
      position = 0;
    }
    const known = this.#sent.number(position);
    if (position >= this.next) {
      this.#endRun(true);
      if (position > this.next && !this.#uncertain) {
        this.gaps.add(this.next, position - this.next, p.number);
        p.marks |= Mark.gap;
      }
      this.#uncertain = span === undefined;
    } else this.#back(p, position, known);
    this.next = Math.max(this.next, position + (span ?? 1));
    this.#sent.put(position, span ?? 1, p.number, p.t);
    this.lastRequest = { number: p.number, t: p.t };
    return known === 0;
  }

  #restart(psn: number): void {
    this.#base = psn;
    this.next = this.acknowledged = this.#responded = 0;
    this.#uncertain = false;
    this.#asked = null;
    this.#run = null;
    this.#sent.reset(0);
  }

  #back(p: PacketFacts, position: number, known: number): void {
    let run = this.#run;
    if (run && position <= run.last) {
      this.#endRun(false);
      run = null;
    }
    if (!run) this.#run = run = this.#newRun(p, position, known);
    run.last = position;
    run.packets.add(p.number);
    p.marks |= Mark.retransmission;
    if (known !== 0) p.marks |= Mark.duplicate;
    if (known === 0) {
      run.fresh++;
      this.recovered++;
      this.gaps.filled(position);
    } else run.seen++;
  }

  #newRun(p: PacketFacts, position: number, known: number): Run {
    const overtaking = this.gaps.overtakenBy(position) === undefined ? 0 : this.#overtakenT(position);
    const since = Math.max(known === 0 ? overtaking : this.#sent.time(position), 0);
    const acknowledged = position < this.acknowledged;
    const late = this.#asked ? position - this.#asked.position : -1;
    const asked = late >= 0 && late <= LOST_AGAIN ? this.#asked : null;
    if (asked?.by === 'rnr') this.notReady.answered(p.t);
    return {
      first: position,
      last: position,
      packets: new Sample(),
      seen: 0,
      fresh: 0,
      firstSeen: known !== 0,
      waited: p.t - Math.max(since, acknowledged ? 0 : this.#lastAnswerT),
      quiet: p.t - Math.max(this.lastRequest.t, this.#lastAnswerT),
      sinceOvertaken: p.t - since,
      asked,
      acknowledged,
    };
  }

  /** When the first packet after a missing position was captured. */
  #overtakenT(position: number): number {
    for (let at = position + 1; at < this.next; at++)
      if (this.#sent.number(at) !== 0) return this.#sent.time(at);
    return 0;
  }

  #endRun(wentOn: boolean): void {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    this.runs.ended(run, wentOn, this.answers > 0);
    // A NAK that is answered by going back is done with; one that a late packet crossed is not.
    if (run.asked === this.#asked && run.seen > 0) this.#asked = null;
  }

  /** An ACK, a NAK, an RNR NAK, a READ response or the answer to an atomic. */
  answer(p: PacketFacts): void {
    if (!this.started) return;
    const position = this.#place(p.psn);
    if (Math.abs(position - this.next) > NEW_CONNECTION || position < 0) return;
    this.answers++;
    if (p.kind === 'nak') this.#nak(p, position);
    else if (p.kind === 'rnr') {
      this.#asked = { by: 'rnr', position, t: p.t };
      this.notReady.add(p, position);
      this.#acknowledge(position, p);
    } else {
      if (p.kind === 'read-response') this.#response(p, position);
      this.#acknowledge(position + 1, p);
    }
    this.#lastAnswerT = p.t;
  }

  #nak(p: PacketFacts, position: number): void {
    const code = p.syndrome & 0x1f;
    let sample = this.naks.get(code);
    if (!sample) this.naks.set(code, (sample = new Sample()));
    sample.add(p.number);
    if (code === 0) {
      this.#asked = { by: 'nak', position, t: p.t };
      this.gaps.asked(position);
    }
    this.#acknowledge(position, p);
  }

  #acknowledge(before: number, p: PacketFacts): void {
    if (before <= this.acknowledged) return;
    if (before > this.next && !this.#uncertain && before > this.next + this.unseen) {
      this.unseen = before - this.next;
      this.unseenIn.add(p.number);
    }
    this.acknowledged = before;
    this.gaps.acknowledged(before);
    this.notReady.progress(before, p.t);
    if (this.#asked && this.#asked.position < before) this.#asked = null;
  }

  #response(p: PacketFacts, position: number): void {
    if (position < this.#responded) {
      this.repeatedResponses.add(p.number);
      p.marks |= Mark.duplicate;
    } else if (position > this.#responded && this.#responded > 0 && !p.info!.first) {
      this.missingResponses.add(p.number);
      this.missingResponsePsns += position - this.#responded;
    }
    this.#responded = Math.max(this.#responded, position + 1);
  }

  /** Requests that nothing in the capture acknowledges, though it holds answers. */
  get unanswered(): number {
    return this.answers > 0 ? Math.max(0, this.next - this.acknowledged) : 0;
  }

  /** No more will come. */
  end(): void {
    // A second copy of the very last packet is followed by nothing.
    const run = this.#run;
    this.#endRun(run !== null && run.packets.total === 1 && run.first === this.next - 1);
    this.runs.end();
    this.gaps.end();
    this.notReady.end();
  }
}
