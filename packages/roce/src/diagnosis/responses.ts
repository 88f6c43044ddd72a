import { Stretches } from './stretches.js';
import { SHORTEST_TIMEOUT_NS } from './runs.js';
import { Sample } from '../base/sample.js';

/** Responses that are missing at once; no requester has more outstanding. */
const MOST_COUNTED = 1 << 14;

/** PSNs that a requester may have had under way when the capture began. */
const IN_FLIGHT = 256;

/**
 * The responses that the READs and atomics of one requester are due, one for each PSN. An ACK does not stand for
 * them: a READ is complete only when each of its responses came.
 */
export class Responses {
  /** PSNs that are answered by a response of their own. */
  readonly #due = new Stretches();
  /** Of them, those that the capture holds. */
  readonly #here = new Stretches();
  /** PSNs that were asked for again. */
  readonly #again = new Stretches();
  /** PSNs that were passed over, until they come. */
  readonly #passed = new Stretches();
  /** All before it was looked at. */
  #next = -Infinity;
  #passedT = -Infinity;
  #passedByAck = false;
  #answeredAgain = -Infinity;
  #asked = -Infinity;
  /** What was asked for before may have been asked for before the capture began as well. */
  #trusted = Infinity;
  /** Packets after which responses were found missing. */
  readonly missing = new Sample();
  missingPsns = 0;
  /** Of the missing ones, those that came with a wrong ICRC. */
  wrongPsns = 0;
  readonly #wrong = new Set<number>();
  /** Those that the capture held already: because the READ was sent again, and without that. */
  readonly repeated = new Sample();
  readonly unasked = new Sample();
  /** Came behind later ones without being asked for again. */
  readonly late = new Sample();

  clear(): void {
    for (const one of [this.#due, this.#here, this.#again, this.#passed]) one.clear();
    this.#wrong.clear();
    this.#next = -Infinity;
    this.#asked = -Infinity;
    this.#trusted = Infinity;
  }

  /** Those of `came` were captured; of the others before `position` nothing is known. */
  forget(position: number, came: readonly number[]): void {
    this.#next = Math.max(this.#next, position);
    for (const p of came) this.#here.add(p, p + 1);
    this.#due.each(-Infinity, position, (from, to) => this.#passed.add(from, to));
  }

  /** A request for them. */
  ask(from: number, to: number): void {
    this.#due.add(from, to);
    this.#asked = Math.max(this.#asked, to);
  }

  /** They were not asked for after all. */
  forgo(from: number, to: number): void {
    this.#due.remove(from, to);
  }

  due(position: number): boolean {
    return this.#due.has(position);
  }

  has(position: number): boolean {
    return this.#here.has(position);
  }

  /** Whether a later one came before it, so that the requester knows that it is missing. */
  passedOver(position: number): boolean {
    return this.#passed.has(position);
  }

  /** Whether responses before `position` were passed over and did not come. */
  lacksBefore(position: number): boolean {
    let lacks = false;
    this.#passed.each(position - IN_FLIGHT, position, (from, to) => {
      for (let p = from; p < to && !lacks; p++) lacks = !this.#here.has(p);
    });
    return lacks;
  }

  /** One that its receiver drops. */
  wrong(position: number): void {
    if (this.#wrong.size < 256) this.#wrong.add(position);
  }

  /**
   * The request for [from, to) came again; the responses begin there anew. `answered`: the capture holds others to the
   * same request, so the responder has it, and those that are not there are missing.
   */
  askAgain(from: number, to: number, number: number, answered: boolean): void {
    if (answered) this.#pass(this.#next, to, number, 0);
    this.#again.add(from, to);
    this.#next = Math.min(this.#next, from);
  }

  /** True where the capture sees it for the first time. */
  came(position: number, number: number, t: number, first: boolean): boolean {
    const fresh = !this.#here.has(position);
    if (this.#trusted === Infinity) this.#trusted = Math.max(this.#asked, position) + IN_FLIGHT;
    if (position > this.#next) this.#pass(this.#next, position, number, t);
    this.#next = Math.max(this.#next, position + 1);
    if (!fresh) {
      (this.#again.has(position) ? this.repeated : this.unasked).add(number);
      return false;
    }
    this.#here.add(position, position + 1);
    if (this.#passed.has(position) && !this.#again.has(position) && t - this.#passedT < SHORTEST_TIMEOUT_NS) {
      this.missingPsns--;
      // An ACK may be of packets from before the capture, and a READ that was asked for again before it is answered from
      // its first packet on.
      if (first || position === this.#answeredAgain + 1) this.#answeredAgain = position;
      else if (!this.#passedByAck && position >= this.#trusted) this.late.add(number);
    }
    return true;
  }

  /** All before `position` was answered. */
  passed(position: number, number: number, t: number): void {
    if (position > this.#next) {
      const before = this.missingPsns;
      this.#pass(this.#next, position, number, t);
      if (this.missingPsns > before) this.#passedByAck = true;
    }
    this.#next = Math.max(this.#next, position);
  }

  #pass(from: number, to: number, number: number, t: number): void {
    let lacking = 0;
    this.#due.each(from, to, (a, b) => {
      for (let p = a; p < Math.min(b, a + MOST_COUNTED); p++) {
        if (this.#here.has(p) || this.#passed.has(p)) continue;
        this.#passed.add(p, p + 1);
        lacking++;
        if (this.#wrong.delete(p)) this.wrongPsns++;
      }
    });
    if (lacking === 0) return;
    this.missingPsns += lacking;
    this.missing.add(number);
    this.#passedT = t;
    this.#passedByAck = false;
  }
}
