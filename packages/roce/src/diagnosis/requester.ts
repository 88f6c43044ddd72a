import { Mark } from '../models/marks.js';
import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import { Asks } from './asks.js';
import { Gaps } from './gaps.js';
import type { MessagePart, Messages } from './messages.js';
import type { Doubt } from './doubt.js';
import { ReceiverNotReady } from './not-ready.js';
import { MTUS, Reads } from './reads.js';
import type { Uncertain } from './reads.js';
import { Responses } from './responses.js';
import { addTo, LONG_WAIT_NS, Runs, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Answers, Asked, Run } from './runs.js';
import { SentPsns } from './sent.js';
import { Sample, sampleOf } from '../base/sample.js';
import { AethType, aethType, RNR_TIMER_US } from '../headers/aeth.js';
import type { EarlyAsk } from './flow.js';

/** A jump further than this is a reused QP number, not a loss: no device has that much in flight. */
const NEW_CONNECTION = 1 << 16;

/** So far ahead of its request an answer may stand in a file that merges several places or queues. */
const EARLY = 64;

/** Requests that are kept until it is known whether they begin a new connection. */
const HELD = 1 << 10;

/** New packets that may come late between those of a run. */
const FEW = 8;

/** PSNs that a requester may have had under way when the capture began. */
const IN_FLIGHT = 256;

/** READs and atomics are due a response with data, which no ACK replaces. */
const ownResponse = ({ kind, info }: MessagePart): boolean =>
  kind === 'read-request' || (kind === 'atomic' && !info!.payload);

/**
 * Follows the requests that go one way and the answers to them. Positions are PSNs with the 24-bit wrap undone; those
 * below 0 were sent before the first captured request. Memory is bounded.
 */
export class Requester {
  started = false;
  #base = 0;
  /** Position that a new request must have. */
  next = 0;
  /** All before it is acknowledged by a captured answer. */
  acknowledged = -Infinity;
  /** The last new request, where it was a READ whose number of responses is not known. */
  #uncertain: Uncertain | null = null;
  #run: Run | null = null;
  /** A run that a single packet interrupts: the next one tells whether the requester went back again. */
  #interrupted: Run | null = null;
  /** A run that did not reach up to `next`, and what came late between may be no end of it. */
  #left: { last: number; next: number } | null = null;
  /** The last request was beyond all before. */
  #ahead = true;
  readonly #asks = new Asks();
  #doubt: Doubt | null = null;
  #lastAnswerT = -Infinity;
  #lastPlace = -1;
  #msn = -1;
  #toldEarly = false;
  #startT = 0;
  /** The connection began in the capture: the first answer counts no message from before. */
  #begun = false;
  readonly #sent = new SentPsns();
  readonly #reads = new Reads();
  /** Requests that came with a wrong ICRC, by position. */
  readonly #wrong = new Map<number, number>();
  gaps = new Gaps();
  runs = new Runs(this.gaps);
  notReady = new ReceiverNotReady();
  responses = new Responses();
  /** By NAK code. */
  readonly naks = new Map<number, Sample>();
  /** A NAK that ends the connection: nothing more is answered. */
  #fatal = false;
  /** PSNs that were skipped and came later. */
  recovered = 0;
  /** Requests at or behind a PSN already passed; of them, those that the capture held. */
  back = 0;
  backSeen = 0;
  /** Acknowledged, and not in the capture. */
  unseen = 0;
  unseenIn = new Sample();
  readonly lastRequest = { number: 0, t: 0 };
  answers = 0;
  #firstAnswer = Infinity;
  /** Answers whose AETH was cut off: ACK and NAK cannot be told apart. */
  readonly cutAnswers = new Sample();
  /** Acknowledged by ACKs that say that no message was completed. */
  readonly notExecuted = new Sample();
  notExecutedMessages = 0;
  /** The connection began with them: the PSN of its first request is 0. */
  firstMessage = false;
  restarts = 0;
  /** The last request got RNR NAKs only, and the requester stopped. */
  refusedForRnr = false;
  /** The QP number was used again, as the MSN of the answers shows: the first packets. */
  readonly reused = new Sample();

  /** `regain`: payload that was taken for a repetition and is new. */
  constructor(
    readonly messages: Messages,
    readonly regain: (bytes: number) => void,
  ) {}

  #place(psn: number): number {
    return this.next + psnDistance((this.#base + this.next) & 0xffffff, psn);
  }

  /** Whether an answer with this PSN may be to requests of this one; `early`: also to one that comes soon. */
  mayAnswer(psn: number, early = false): boolean {
    if (!this.started) return false;
    const position = this.#place(psn);
    const ahead = this.next - position;
    return (
      ahead >= (early ? -EARLY : this.#uncertain ? -NEW_CONNECTION : 0) &&
      ahead <= NEW_CONNECTION &&
      // What was sent before the capture may be answered, and asked for, in it.
      (position >= (early ? -EARLY : 0) || this.#held(position) !== 0)
    );
  }

  /** Whether the answers so far may be to another requester, which sent `psn` next when the capture began. */
  mayBeAnswersBefore(psn: number): boolean {
    if (this.answers === 0 || this.#begun) return false;
    const position = this.#place(psn);
    return this.acknowledged <= position && position - this.#firstAnswer <= IN_FLIGHT;
  }

  /** Whether so few answers came that they may be to another requester. */
  answeredOnlyBy(few: number): boolean {
    return this.answers < few && !this.#begun;
  }

  /** Answers came before they could be matched: these responses, up to `psn`. */
  matchedLate(psn: number, responses: Iterable<number>): void {
    const position = this.#place(psn);
    this.acknowledged = Math.max(this.acknowledged, position);
    this.responses.forget(
      position,
      [...responses].map((each) => this.#place(each)).sort((a, b) => a - b),
    );
  }

  /** A NAK or an RNR NAK that came before it could be matched. */
  askedBefore({ psn, t, number, syndrome }: EarlyAsk): void {
    const position = this.#place(psn);
    if (aethType(syndrome) === AethType.RNR) {
      this.notReady.add({ number, t, syndrome }, position);
      if (this.started) this.#asks.rnr(position, t, RNR_TIMER_US[syndrome & 0x1f]!);
      return;
    }
    sampleOf(this.naks, syndrome & 0x1f).add(number);
    if ((syndrome & 0x1f) === 0 && this.started) this.#asks.before(position, t);
  }

  /** The packet that holds a position; 0 if none does. */
  #held(position: number): number {
    return this.#sent.number(position) || (this.#reads.of(position)?.number ?? 0);
  }

  /** When a position was last captured; long ago where it was not. */
  #lastT(position: number): number {
    return this.#held(position) === 0 ? -Infinity : this.#heldT(position);
  }

  #heldT(position: number): number {
    return this.#sent.number(position) !== 0 ? this.#sent.time(position) : (this.#reads.of(position)?.t ?? 0);
  }

  #isAcknowledged(position: number): boolean {
    return this.responses.due(position) ? this.responses.has(position) : position < this.acknowledged;
  }

  /** True where the capture sees its payload for the first time. `span`: PSNs that it takes; undefined if not known. */
  request(p: PacketFacts, span: number | undefined): boolean {
    if (!this.started) {
      this.started = true;
      this.#startT = p.t;
      this.#restart(p.psn);
    }
    let position = this.#place(p.psn);
    if (Math.abs(position - this.next) > NEW_CONNECTION || this.#newUnreliable(p, position)) {
      this.#newConnection(p.psn);
      position = 0;
    }
    const known = this.#held(position);
    const ahead = position >= this.next;
    if (this.#interrupted) this.#resume(position);
    if (ahead) {
      const run = this.#run;
      if (run !== null && !run.whole && p.t - this.lastRequest.t < SHORTEST_TIMEOUT_NS)
        this.#left = { last: run.last, next: this.next };
      else if (this.#left !== null && this.next - this.#left.next > FEW) this.#left = null;
      this.#endRun(true);
      this.#settleBy(position, p.number);
      if (position > this.next) this.#skip(p, position);
      this.#uncertain =
        span === undefined ? { position, length: p.dmaLength, number: p.number, t: p.t } : null;
    } else this.#back(p, position, known, span);
    this.#ahead = ahead;
    this.#take(p, position, span ?? 1);
    this.#hold(p, position, span ?? 1, known === 0);
    this.lastRequest.number = p.number;
    this.lastRequest.t = p.t;
    if (!this.#run) this.#lastPlace = p.place;
    if (known !== 0) return false;
    // Two calls, so that the position stays a small integer, which costs no memory.
    if (p.info!.transport === 'UC') this.messages.see(p);
    else this.messages.see(p, position + (span ?? 1));
    return true;
  }

  #take(p: MessagePart & { number: number; t: number }, position: number, span: number): void {
    this.next = Math.max(this.next, position + span);
    this.#sent.put(position, 1, p.number, p.t);
    if (!ownResponse(p)) return;
    this.responses.ask(position, position + span);
    if (span === 1) return;
    this.#reads.add({ position, end: position + span, number: p.number, t: p.t });
  }

  /** A packet whose opcode has no meaning to us: it takes a PSN, wherever it goes. */
  other(p: PacketFacts): void {
    if (!this.started) return;
    const position = this.#place(p.psn);
    if (position !== this.next) {
      if (this.gaps.overtakenBy(position) !== undefined) this.gaps.late(position, position);
      return;
    }
    this.#endRun(true);
    this.next++;
    this.#sent.put(position, 1, p.number, p.t);
  }

  /** A request that its receiver drops because of its ICRC. */
  wrong(p: PacketFacts): void {
    if (!this.started) return;
    const position = this.#place(p.psn);
    if (position < this.next || position - this.next > EARLY || this.#wrong.size >= 256) return;
    this.#wrong.set(position, p.number);
  }

  /** The same of a response. */
  wrongAnswer(p: PacketFacts): void {
    if (this.started) this.responses.wrong(this.#place(p.psn));
  }

  /** UC never sends anything again, so a First far behind opens another connection. */
  #newUnreliable(p: PacketFacts, position: number): boolean {
    if (p.info!.transport !== 'UC' || !p.info!.first || position >= this.next) return false;
    return this.#held(position) === 0
      ? this.gaps.overtakenBy(position) === undefined
      : p.t - this.#heldT(position) >= SHORTEST_TIMEOUT_NS;
  }

  #newConnection(psn: number): void {
    this.#settleDoubt();
    this.end();
    this.restarts++;
    this.#begun = true;
    this.messages.restart();
    this.#restart(psn);
  }

  #restart(psn: number): void {
    this.#base = psn;
    this.next = 0;
    this.acknowledged = -Infinity;
    this.#msn = -1;
    this.#uncertain = null;
    this.#asks.clear();
    this.#run = null;
    this.#interrupted = null;
    this.#left = null;
    this.#fatal = false;
    this.#reads.clear();
    this.#wrong.clear();
    this.responses.clear();
    this.#sent.reset(0);
  }

  #skip(p: PacketFacts, position: number): void {
    let wrong = 0;
    if (this.#wrong.size > 0) for (let at = this.next; at < position; at++) if (this.#wrong.has(at)) wrong++;
    const gap = this.gaps.add(this.next, position - this.next, p.number, wrong);
    p.marks |= Mark.gap;
    if (p.info!.first) this.#inDoubt(p, position, null, gap);
  }

  /** The request behind a READ of unknown length tells how many PSNs that took. */
  #settleBy(position: number, behind: number): void {
    const read = this.#uncertain;
    if (!read) return;
    const span = position - read.position;
    // If no path MTU fits, requests are missing, but nobody knows how many.
    if (Reads.fits(read, span)) {
      this.#settle(read, span);
      this.#reads.guess({ ...read, end: position, behind });
    }
    this.#uncertain = null;
    this.next = position;
  }

  /** The path MTU is known now. */
  settle(mtu: number): void {
    if (mtu > 0) this.#check(mtu);
    const read = this.#uncertain;
    if (read && read.length >= 0 && mtu > 0) this.#settle(read, Math.max(1, Math.ceil(read.length / mtu)));
  }

  /** A smaller path MTU than the real one had explained requests that are missing. */
  #check(mtu: number): void {
    for (const { right, end, behind } of this.#reads.shorten(mtu)) {
      this.responses.forgo(right, end);
      this.gaps.add(right, end - right, behind);
    }
  }

  #settle(read: Uncertain, span: number): void {
    this.#uncertain = null;
    const { position, number, t } = read;
    const end = position + span;
    this.responses.ask(position, end);
    this.#reads.add({ position, end, number, t });
    this.next = Math.max(this.next, end);
  }

  #back(p: PacketFacts, position: number, known: number, span: number | undefined): void {
    let run = this.#run;
    // On its way for so long, it may be a copy or late; else the requester goes back once more.
    const recent =
      run !== null && p.t - Math.max(this.#lastT(position), this.#overtakenT(position)) < SHORTEST_TIMEOUT_NS;
    if (run && position <= run.last) {
      // A copy of what has just been sent again is no second retransmission.
      const asked = this.#asks.last !== null && this.#asks.last !== run.asked;
      const copy =
        known !== 0 && recent && run.packets.total > 1 && !asked && !this.#asks.named(position, p.t);
      if (copy && position === run.last && !ownResponse(p)) {
        this.runs.duplicated.add(p.number);
        this.#countBack(p, known);
        return;
      }
      if (recent) this.#interrupt(run);
      else this.#endRun(false);
      run = null;
    } else if (run && recent && position > run.last + 1 && run.packets.total > 1) {
      this.#interrupt(run);
      run = null;
    }
    let crossed = this.#left !== null && position > this.#left.last && this.next - this.#left.next <= FEW;
    if (run && this.#astray(run, p, position)) {
      // It may have begun with a READ, whatever names what comes behind.
      crossed ||= run.read;
      this.#endRun(false);
      run = null;
    }
    this.#left = null;
    if (!run) {
      if (this.#doubt?.ended) this.#settleDoubt();
      this.#run = run = this.#newRun(p, position, known, span);
      run.crossed = crossed;
      if (p.info!.first) this.#inDoubt(p, position, run, null);
    }
    if (ownResponse(p)) {
      const answered = run.packets.total === 0 && (run.acknowledged || run.answered);
      this.responses.askAgain(position, position + (span ?? 1), p.number, answered);
    }
    // A NAK that names what the run sends anyway is answered by that.
    if (run.packets.total > 0) {
      run.crossed ||=
        run.asked === null && run.packets.total === 1 && this.#asks.unheeded(position, p.t) !== null;
      this.#asks.sentAgain(position);
    }
    run.elsewhere &&= p.place !== this.#lastPlace;
    run.last = Math.max(run.last, position + (span ?? 1) - 1);
    run.whole = run.last >= this.next - 1;
    run.packets.add(p.number);
    this.#countBack(p, known);
    if (known === 0) {
      run.fresh++;
      this.recovered++;
      this.gaps.filled(position, span ?? 1);
    } else run.seen++;
  }

  /** One packet that came again soon, and another run behind it that begins further on, or much later. */
  #astray(run: Run, p: PacketFacts, position: number): boolean {
    if (run.packets.total !== 1 || run.age >= SHORTEST_TIMEOUT_NS || run.uncertain) return false;
    if (p.t - this.lastRequest.t >= SHORTEST_TIMEOUT_NS) return true;
    return position > run.last + 1 && !(run.read && run.passedOver);
  }

  #countBack(p: PacketFacts, known: number): void {
    p.marks |= Mark.retransmission;
    this.back++;
    if (known === 0) return;
    p.marks |= Mark.duplicate;
    this.backSeen++;
  }

  #newRun(p: PacketFacts, position: number, known: number, span: number | undefined): Run {
    const own = this.#lastT(position);
    const overtaking = this.#overtakenT(position);
    const since = Math.max(known === 0 ? overtaking : own, 0);
    const acknowledged = this.#isAcknowledged(position);
    const last = this.#asks.explaining(position, p.t, ownResponse(p), this.acknowledged);
    const asked = last ?? (ownResponse(p) ? null : this.#asks.unheeded(position, p.t));
    if (asked?.by === 'rnr') this.notReady.answered(p.t);
    return {
      t: p.t,
      first: position,
      last: position,
      packets: new Sample(),
      seen: 0,
      fresh: 0,
      firstSeen: known !== 0,
      firstSame: this.#sent.number(position) !== 0,
      waited: p.t - Math.max(since, acknowledged && !ownResponse(p) ? 0 : this.#lastAnswerT),
      quiet: p.t - Math.max(this.lastRequest.t, this.#lastAnswerT),
      age: p.t - Math.max(own, overtaking),
      ownAge: p.t - own,
      uncertain: span === undefined,
      crossed: false,
      amid: !this.#ahead,
      lacking: this.responses.lacksBefore(position),
      asked,
      acknowledged,
      read: ownResponse(p),
      passedOver: this.responses.passedOver(position),
      covered: !acknowledged && position < this.acknowledged,
      named: this.#asks.named(position, p.t),
      answered: this.#sent.number(position) === 0 && this.responses.has(position - 1),
      waitedFor: this.#asks.waitedFor(position, p.t, this.acknowledged),
      before: position < 0,
      early: !this.#begun && position < IN_FLIGHT && p.t - this.#startT < LONG_WAIT_NS,
      followed: this.next - 1 - position,
      wrong: known === 0 ? (this.#wrong.get(position) ?? 0) : 0,
      elsewhere: p.place !== this.#lastPlace && this.#lastPlace >= 0,
      whole: false,
      unreliable: p.info!.transport === 'UC',
    };
  }

  /** When the first packet after a position was last captured. */
  #overtakenT(position: number): number {
    const end = Math.min(this.next, position + IN_FLIGHT);
    for (let at = position + 1; at < end; at++) if (this.#sent.number(at) !== 0) return this.#sent.time(at);
    return -Infinity;
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
    if (!run || (run.packets.total > 1 && !two)) return this.#ended(before, position >= this.next);
    if (run.packets.total === 1 && position > run.last && position <= before.last) {
      this.#interrupted = before;
      return;
    }
    if (run.first > before.last && position > run.last) return this.#join(before, run);
    if (position <= before.last || position >= this.next) return this.#ended(before, position >= this.next);
    if (run.last + 1 === before.first && before.asked?.position !== before.first)
      return this.#lead(run, before);
    if (this.#doubt?.run === run) this.#doubt = null;
    this.#run = before;
    // A copy: what had begun among new packets goes on right where it was.
    run.amid = before.amid || run.seen === 0 || position !== before.last + 1;
    if (run.first === before.first && before.packets.total === 1) {
      // Either of them may be the copy; the run itself is told from what follows.
      this.runs.doubtful.addAll(before.packets);
      this.runs.doubtful.addAll(run.packets);
      before.packets.clear();
    } else this.#ended(run, true);
  }

  /** The first packet of a run was overtaken by those behind it. */
  #lead(run: Run, before: Run): void {
    if (this.#doubt?.run === before) this.#doubt.run = run;
    addTo(run, before);
  }

  /** What a run jumped to was a part of it. */
  #join(before: Run, run: Run): void {
    if (this.#doubt?.run === run) this.#doubt = null;
    addTo(before, run);
    this.#run = before;
  }

  #endRun(wentOn: boolean): void {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    this.#ended(run, wentOn);
    this.#answeredBy(run);
  }

  #ended(run: Run, wentOn: boolean): void {
    const { answered } = this;
    const ended = (): void => this.runs.ended(run, wentOn, answered);
    if (this.#doubt?.run === run) this.#doubt.ended = ended;
    else ended();
  }

  /** A NAK that is answered by going back is done with; one that a late packet crossed is not. */
  #answeredBy(run: Run): void {
    if (run.packets.total > 1 && run.seen > 0) this.#asks.heeded(run.asked, run.first);
  }

  get answered(): Answers {
    return this.cutAnswers.total > 0 ? 'cut' : this.answers > 0 ? 'all' : 'none';
  }

  /** Some copies and late packets were told without the answers, or whole ones, which say if a NAK asked for them. */
  get blind(): boolean {
    return this.#toldEarly || this.answered !== 'all';
  }

  #inDoubt(p: PacketFacts, position: number, run: Run | null, gap: object | null): void {
    this.#settleDoubt();
    if (this.#msn < 0) return;
    // Whoever makes a new connection takes longer than a packet on the way.
    const quiet = p.t - Math.max(this.lastRequest.t, this.#lastAnswerT) >= SHORTEST_TIMEOUT_NS;
    this.#doubt = { psn: p.psn, position, quiet, run, ended: null, gap, requests: [] };
  }

  #hold(p: PacketFacts, position: number, span: number, fresh: boolean): void {
    const doubt = this.#doubt;
    if (!doubt || position < doubt.position) return;
    if (doubt.requests.length === HELD) return this.#settleDoubt();
    const { info, kind, payload, dmaLength, cm, marks, number, t } = p;
    doubt.requests.push({ info, kind, payload, dmaLength, cm, marks, number, t, position, span, fresh });
  }

  /** It is the old connection. */
  #settleDoubt(): void {
    const doubt = this.#doubt;
    this.#doubt = null;
    doubt?.ended?.();
  }

  /**
   * The responder of a new connection counts messages from the start: an MSN that falls, and is no more than the requests
   * since then can explain, shows that the QP number was used again.
   */
  #fallen(p: PacketFacts, position: number): boolean {
    const doubt = this.#doubt;
    // A response may be one from before, sent once more with its MSN of then.
    if (!doubt?.quiet || position < doubt.position || p.kind !== 'ack' || p.msn < 0) return false;
    const whole = doubt.requests.filter(({ info }) => info!.last);
    const grown = psnDistance(this.#msn, p.msn);
    if (grown < 0) return p.msn <= whole.length;
    // After as many messages the MSN is the same, though the old connection would have counted on.
    const elsewhere = doubt.gap !== null || position + 1 < this.acknowledged;
    return grown === 0 && elsewhere && p.msn === whole.filter((each) => each.position <= position).length;
  }

  #reuse(): void {
    const { psn, position: base, run, gap, requests } = this.#doubt!;
    this.#doubt = null;
    if (run) {
      this.back -= run.packets.total;
      this.backSeen -= run.seen;
      this.recovered -= run.fresh;
      if (this.#run === run) this.#run = null;
    }
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

  /** An ACK, a NAK, an RNR NAK, a READ response or the answer to an atomic. True where it is new. */
  answer(p: PacketFacts): boolean {
    if (!this.started) return true;
    let position = this.#place(p.psn);
    if (Math.abs(position - this.next) > NEW_CONNECTION) return true;
    if (this.#doubt && position >= this.#doubt.position) {
      if (this.#fallen(p, position)) {
        this.#reuse();
        position = this.#place(p.psn);
      } else if (p.msn >= 0) this.#settleDoubt();
    }
    if (p.kind === 'ack' && p.syndrome < 0) {
      this.cutAnswers.add(p.number);
      this.#lastAnswerT = p.t;
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
      if (p.kind === 'read-response') this.#reach(position);
      if (p.kind !== 'ack') fresh = this.responses.came(position, p.number, p.t, p.info!.first);
      this.#acknowledge(position + 1, p);
    }
    if (p.msn >= 0) this.#msn = p.msn;
    this.#lastAnswerT = p.t;
    return fresh;
  }

  /** A response of a READ whose length in packets is not known yet: it has at least those. */
  #reach(position: number): void {
    const read = this.#uncertain;
    if (!read || position < this.next || position - read.position >= read.length / MTUS[0]!) return;
    this.next = Math.max(this.next, position + 1);
    this.responses.ask(read.position, this.next);
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
    if (before > this.next && before > this.next + this.unseen) {
      this.unseen = before - this.next;
      this.unseenIn.add(p.number);
    }
    this.acknowledged = before;
    this.#fatal = false;
    this.gaps.acknowledged(before);
    this.#asks.acknowledged(before);
    this.notReady.progress(before, p.t);
    const messages = this.messages.acknowledged(before);
    if (this.#msn < 0 && p.msn >= 0) this.#begun ||= messages > 0 && p.msn <= messages;
    // Right from the first ACK on, none of the messages counts.
    if (p.kind === 'ack' && p.msn === 0 && this.#msn <= 0 && messages > 0) {
      this.notExecuted.add(p.number);
      this.notExecutedMessages += messages;
      this.firstMessage ||= this.#base === 0;
    }
    const { last } = this.#asks;
    if (last?.by === 'rnr' && last.position < before) this.#asks.last = null;
  }

  /** PSNs without any answer in the capture, though it holds answers. */
  get unanswered(): number {
    if (this.answers === 0 || this.cutAnswers.total > 0 || this.#fatal || this.refusedForRnr) return 0;
    return Math.max(0, this.next - Math.max(this.acknowledged, 0));
  }

  /** The NAK that nobody answered by sending again. */
  get ignored(): Asked | null {
    const { last } = this.#asks;
    return last?.by === 'nak' && last.position === this.acknowledged ? last : null;
  }

  /** The order of its packets is not known, so nothing can be said of what was lost or sent again. No packet may come after. */
  withhold(): void {
    this.gaps = new Gaps();
    this.runs = new Runs(this.gaps);
    this.responses = new Responses();
    this.recovered = this.back = this.backSeen = this.unseen = 0;
    this.unseenIn.clear();
    this.reused.clear();
  }

  /** The answers may be to another requester. No packet may come after. */
  disown(): void {
    this.withhold();
    this.notReady = new ReceiverNotReady();
    this.naks.clear();
    this.notExecuted.clear();
    this.answers = 0;
  }

  /** No more will come. `endT`: when the capture ends. */
  end(endT = Infinity): void {
    this.#settleDoubt();
    if (this.#interrupted) this.#resume(-Infinity);
    // A second copy of the very last packet is followed by nothing.
    const run = this.#run;
    this.#endRun(run !== null && run.packets.total === 1 && run.first === this.next - 1 && !run.read);
    this.runs.end(this.responses.unasked.total > 0);
    this.gaps.end();
    if (this.notReady.gaveUp(endT)) this.messages.refused(Math.max(this.acknowledged, 0));
    this.refusedForRnr ||= this.notReady.gaveUp(endT);
    this.notReady.end();
  }
}
