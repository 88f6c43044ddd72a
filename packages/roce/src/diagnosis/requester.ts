import { Mark } from '../models/marks.js';
import type { PacketFacts } from './facts.js';
import { Asks } from './asks.js';
import { Gaps } from './gaps.js';
import { GoingBack } from './going-back.js';
import { ownResponse } from './messages.js';
import type { MessagePart, Messages } from './messages.js';
import { ReceiverNotReady } from './not-ready.js';
import { ReadLengths } from './read-lengths.js';
import { Responses } from './responses.js';
import { Reuse } from './reuse.js';
import { LONG_WAIT_NS, Runs, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Answers, Asked, Run } from './runs.js';
import { EARLY, IN_FLIGHT, Sequence } from './sequence.js';
import { Sample, sampleOf } from '../base/sample.js';
import { AethType, aethType, RNR_TIMER_US } from '../headers/aeth.js';
import type { EarlyAsk } from './flow.js';

/** Jump in PSNs from which on the QP number was reused: no device has that many packets in flight, so it is no loss. */
const NEW_CONNECTION = 1 << 16;

/**
 * Follows the requests of one direction and their answers. Positions are PSNs with the 24-bit wrap undone. Those below
 * 0 were sent before the first captured request. Memory is bounded.
 */
export class Requester {
  started = false;
  /** A captured answer acknowledges all positions before this one. */
  acknowledged = -Infinity;
  readonly #asks = new Asks();
  readonly #reuse = new Reuse();
  readonly #sequence = new Sequence();
  readonly goingBack = new GoingBack(this, this.#sequence, this.#asks, this.#reuse);
  readonly #lengths = new ReadLengths(this, this.#sequence);
  lastAnswerT = -Infinity;
  #msn = -1;
  #toldEarly = false;
  /** Time of the first request. */
  startT = 0;
  /** True if the connection began in the capture: the first answer counts no message from before. */
  #begun = false;
  gaps = new Gaps();
  runs = new Runs(this.gaps);
  notReady = new ReceiverNotReady();
  responses = new Responses();
  /** NAK packets by NAK code. */
  readonly naks = new Map<number, Sample>();
  /** True after a NAK that ends the connection: nothing more is answered. */
  #fatal = false;
  /** Number of PSNs that were acknowledged and not captured. */
  unseen = 0;
  unseenIn = new Sample();
  readonly lastRequest = { number: 0, t: 0 };
  answers = 0;
  #firstAnswer = Infinity;
  /** Answers whose AETH was cut off, so that ACK and NAK cannot be told apart. */
  readonly cutAnswers = new Sample();
  /** ACKs of messages that say that no message was completed. */
  readonly notExecuted = new Sample();
  notExecutedMessages = 0;
  /** True if these messages began the connection: the PSN of its first request is 0. */
  firstMessage = false;
  /** True if the last request got RNR NAKs only and the requester stopped. */
  refusedForRnr = false;
  /** First packets of new connections with the same QP number, as the MSN of the answers shows. */
  readonly reused = new Sample();

  /** `regain`: called with the bytes of payload that was taken for a repetition and is new. */
  constructor(
    readonly messages: Messages,
    readonly regain: (bytes: number) => void,
  ) {}

  /**
   * True if an answer with this PSN may be to requests of this requester. `early`: also to a request that comes soon.
   */
  mayAnswer(psn: number, early = false): boolean {
    if (!this.started) return false;
    const position = this.#sequence.place(psn);
    const ahead = this.#sequence.next - position;
    return (
      ahead >= (early ? -EARLY : this.#lengths.open ? -NEW_CONNECTION : 0) &&
      ahead <= NEW_CONNECTION &&
      // Packets from before the capture may be answered, and asked for, in it.
      (position >= (early ? -EARLY : 0) || this.#sequence.held(position) !== 0)
    );
  }

  /** True if the answers so far may be to another requester, whose next PSN was `psn` when the capture began. */
  mayBeAnswersBefore(psn: number): boolean {
    if (this.answers === 0 || this.#begun) return false;
    const position = this.#sequence.place(psn);
    return this.acknowledged <= position && position - this.#firstAnswer <= IN_FLIGHT;
  }

  /** True if so few answers came that they may be to another requester. */
  answeredOnlyBy(few: number): boolean {
    return this.answers < few && !this.#begun;
  }

  /** Processes answers that came before the flows were matched: these responses, up to `psn`. */
  matchedLate(psn: number, responses: Iterable<number>): void {
    const position = this.#sequence.place(psn);
    this.acknowledged = Math.max(this.acknowledged, position);
    this.responses.forget(
      position,
      [...responses].map((each) => this.#sequence.place(each)).sort((a, b) => a - b),
    );
  }

  /** Processes a NAK or an RNR NAK that came before the flows were matched. */
  askedBefore({ psn, t, number, syndrome }: EarlyAsk): void {
    const position = this.#sequence.place(psn);
    if (aethType(syndrome) === AethType.RNR) {
      this.notReady.add({ number, t, syndrome }, position);
      if (this.started) this.#asks.rnr(position, t, RNR_TIMER_US[syndrome & 0x1f]!);
      return;
    }
    sampleOf(this.naks, syndrome & 0x1f).add(number);
    if ((syndrome & 0x1f) === 0 && this.started) this.#asks.before(position, t);
  }

  isAcknowledged(position: number): boolean {
    return this.responses.due(position) ? this.responses.has(position) : position < this.acknowledged;
  }

  /**
   * Processes a request. Returns true if the capture has its payload for the first time. `span`: PSNs that it takes;
   * undefined if not known.
   */
  request(p: PacketFacts, span: number | undefined): boolean {
    if (!this.started) {
      this.started = true;
      this.startT = p.t;
      this.#restart(p.psn);
    }
    let position = this.#sequence.place(p.psn);
    if (Math.abs(position - this.#sequence.next) > NEW_CONNECTION || this.#newUnreliable(p, position)) {
      this.#newConnection(p.psn);
      position = 0;
    }
    const known = this.#sequence.held(position);
    const ahead = position >= this.#sequence.next;
    this.goingBack.comes(position, p.t);
    if (ahead) {
      this.goingBack.goesOn(p, position);
      this.#lengths.settleBy(position, p.number);
      if (position > this.#sequence.next) this.#skip(p, position);
      this.#lengths.see(
        span === undefined ? { position, length: p.dmaLength, number: p.number, t: p.t } : null,
      );
    } else this.goingBack.back(p, position, known, span);
    this.#take(p, position, span ?? 1);
    this.#reuse.hold(p, position, span ?? 1, known === 0);
    this.lastRequest.number = p.number;
    this.lastRequest.t = p.t;
    this.goingBack.came(p, ahead);
    if (known !== 0) return false;
    // Two calls, so that the position stays a small integer, which costs no memory.
    if (p.info!.transport === 'UC') this.messages.see(p);
    else this.messages.see(p, position + (span ?? 1));
    return true;
  }

  #take(p: MessagePart & { number: number; t: number }, position: number, span: number): void {
    this.#sequence.next = Math.max(this.#sequence.next, position + span);
    this.#sequence.put(position, p.number, p.t);
    if (!ownResponse(p)) return;
    this.responses.ask(position, position + span);
    if (span === 1) return;
    this.#sequence.reads.add({ position, end: position + span, number: p.number, t: p.t });
  }

  /** Processes a packet with an unknown opcode: it takes up a PSN in any case. */
  other(p: PacketFacts): void {
    if (!this.started) return;
    const position = this.#sequence.place(p.psn);
    if (position !== this.#sequence.next) {
      if (this.gaps.overtakenBy(position) !== undefined) this.gaps.late(position, position);
      return;
    }
    this.goingBack.endRun(true);
    this.#sequence.next++;
    this.#sequence.put(position, p.number, p.t);
  }

  /** Processes a request that its receiver drops because of its ICRC. */
  wrong(p: PacketFacts): void {
    if (!this.started) return;
    this.#sequence.wrong(this.#sequence.place(p.psn), p.number);
  }

  /** Processes a response that its receiver drops because of its ICRC. */
  wrongAnswer(p: PacketFacts): void {
    if (this.started) this.responses.wrong(this.#sequence.place(p.psn));
  }

  /** True if a UC packet opens another connection: UC never sends anything again, so a First far behind is new. */
  #newUnreliable(p: PacketFacts, position: number): boolean {
    if (p.info!.transport !== 'UC' || !p.info!.first || position >= this.#sequence.next) return false;
    return this.#sequence.held(position) === 0
      ? this.gaps.overtakenBy(position) === undefined
      : p.t - this.#sequence.heldT(position) >= SHORTEST_TIMEOUT_NS;
  }

  #newConnection(psn: number): void {
    this.#reuse.settle();
    this.end();
    this.#begun = true;
    this.messages.restart();
    this.#restart(psn);
  }

  #restart(psn: number): void {
    this.#sequence.restart(psn);
    this.acknowledged = -Infinity;
    this.#msn = -1;
    this.#lengths.see(null);
    this.#asks.clear();
    this.goingBack.restart();
    this.#fatal = false;
    this.responses.clear();
  }

  #skip(p: PacketFacts, position: number): void {
    const wrong = this.#sequence.wrongBefore(position);
    const gap = this.gaps.add(this.#sequence.next, position - this.#sequence.next, p.number, wrong);
    p.marks |= Mark.gap;
    if (p.info!.first) this.mayBegin(p, position, null, gap);
  }

  /** Settles the lengths of READs: the path MTU is known now. */
  settle(mtu: number): void {
    this.#lengths.settle(mtu);
  }

  /** Position of the next new request. */
  get next(): number {
    return this.#sequence.next;
  }

  /** True if a position may have been in flight when the capture began, so that a NAK of it may have come before. */
  early(position: number, t: number): boolean {
    return !this.#begun && position < IN_FLIGHT && t - this.startT < LONG_WAIT_NS;
  }

  get answered(): Answers {
    return this.cutAnswers.total > 0 ? 'cut' : this.answers > 0 ? 'all' : 'none';
  }

  /** True if some copies and late packets were classified without whole answers, which show if a NAK asked for them. */
  get blind(): boolean {
    return this.#toldEarly || this.answered !== 'all';
  }

  /** Remembers a request that may begin a new connection: it goes back (`run`) or jumps (`gap`). */
  mayBegin(p: PacketFacts, position: number, run: Run | null, gap: object | null): void {
    this.#reuse.settle();
    if (this.#msn < 0) return;
    // Making a new connection takes longer than a packet takes on the way.
    const quiet = p.t - Math.max(this.lastRequest.t, this.lastAnswerT) >= SHORTEST_TIMEOUT_NS;
    this.#reuse.begin({ psn: p.psn, position, quiet, run, gap });
  }

  #beginAgain(): void {
    const { psn, position: base, run, gap, requests } = this.#reuse.take();
    if (run) this.goingBack.forget(run);
    if (gap) this.gaps.forget(gap);
    this.end();
    this.messages.restart();
    this.#restart(psn);
    this.reused.add(requests[0]!.number);
    for (const held of requests) {
      this.#take(held, held.position - base, held.span);
      if (held.fresh) continue;
      this.regain(held.payload);
      this.messages.see({ ...held, marks: 0 }, held.position - base + held.span);
    }
  }

  /** Processes an ACK, NAK, RNR NAK, READ response or atomic response. Returns true if it is new. */
  answer(p: PacketFacts): boolean {
    if (!this.started) return true;
    let position = this.#sequence.place(p.psn);
    if (Math.abs(position - this.#sequence.next) > NEW_CONNECTION) return true;
    if (this.#reuse.concerns(position)) {
      if (this.#reuse.fallen(p, position, this.#msn, this.acknowledged)) {
        this.#beginAgain();
        position = this.#sequence.place(p.psn);
      } else if (p.msn >= 0) this.#reuse.settle();
    }
    if (p.kind === 'ack' && p.syndrome < 0) {
      this.cutAnswers.add(p.number);
      this.lastAnswerT = p.t;
      return true;
    }
    if (this.answers === 0) this.#toldEarly = this.runs.duplicated.total + this.runs.reordered.total > 0;
    if (this.answers++ === 0) this.#firstAnswer = position;
    let fresh = true;
    if (p.kind === 'nak') this.#nak(p, position);
    else if (p.kind === 'rnr') {
      this.#asks.rnr(position, p.t, RNR_TIMER_US[p.syndrome & 0x1f]!);
      this.notReady.add(p, position);
      this.#acknowledge(position, p);
    } else {
      if (p.kind === 'read-response') this.#lengths.reach(position);
      if (p.kind !== 'ack') fresh = this.responses.came(position, p.number, p.t, p.info!.first);
      this.#acknowledge(position + 1, p);
    }
    if (p.msn >= 0) this.#msn = p.msn;
    this.lastAnswerT = p.t;
    return fresh;
  }

  #nak(p: PacketFacts, position: number): void {
    const code = p.syndrome & 0x1f;
    sampleOf(this.naks, code).add(p.number);
    this.#acknowledge(position, p);
    if (code === 0) {
      this.#asks.nak(position, p.t);
      this.gaps.asked(position);
    } else {
      this.#fatal = true;
      this.messages.refused(position);
    }
  }

  #acknowledge(before: number, p: PacketFacts): void {
    if (p.kind === 'ack' || p.kind === 'nak' || p.kind === 'rnr')
      this.responses.passed(before, p.number, p.t);
    if (before <= this.acknowledged) return;
    if (before > this.#sequence.next && before > this.#sequence.next + this.unseen) {
      this.unseen = before - this.#sequence.next;
      this.unseenIn.add(p.number);
    }
    this.acknowledged = before;
    this.#fatal = false;
    this.gaps.acknowledged(before);
    this.#asks.acknowledged(before);
    this.notReady.progress(before, p.t);
    const messages = this.messages.acknowledged(before);
    if (this.#msn < 0 && p.msn >= 0) this.#begun ||= messages > 0 && p.msn <= messages;
    // None of the messages counts, right from the first ACK on.
    if (p.kind === 'ack' && p.msn === 0 && this.#msn <= 0 && messages > 0) {
      this.notExecuted.add(p.number);
      this.notExecutedMessages += messages;
      this.firstMessage ||= this.#sequence.base === 0;
    }
    const { last } = this.#asks;
    if (last?.by === 'rnr' && last.position < before) this.#asks.last = null;
  }

  /** Number of PSNs without an answer in the capture, if it holds answers. */
  get unanswered(): number {
    if (this.answers === 0 || this.cutAnswers.total > 0 || this.#fatal || this.refusedForRnr) return 0;
    return Math.max(0, this.#sequence.next - Math.max(this.acknowledged, 0));
  }

  /** The last NAK, if the requester did not answer it by sending again. */
  get ignored(): Asked | null {
    const { last } = this.#asks;
    return last?.by === 'nak' && last.position === this.acknowledged ? last : null;
  }

  /**
   * Drops the results on losses and retransmissions, because the order of the packets is not known. No packet may
   * follow.
   */
  withhold(): void {
    this.gaps = new Gaps();
    this.runs = new Runs(this.gaps);
    this.responses = new Responses();
    this.goingBack.withhold();
    this.unseen = 0;
    this.unseenIn.clear();
    this.reused.clear();
  }

  /** Drops all answers, because they may be to another requester. No packet may follow. */
  disown(): void {
    this.withhold();
    this.notReady = new ReceiverNotReady();
    this.naks.clear();
    this.notExecuted.clear();
    this.answers = 0;
  }

  /** Settles everything that is open. `endT`: end of the capture. */
  end(endT = Infinity): void {
    this.#reuse.settle();
    this.goingBack.end();
    this.runs.end(this.responses.unasked.total > 0);
    this.gaps.end();
    if (this.notReady.gaveUp(endT)) this.messages.refused(Math.max(this.acknowledged, 0));
    this.refusedForRnr ||= this.notReady.gaveUp(endT);
    this.notReady.end();
  }
}
