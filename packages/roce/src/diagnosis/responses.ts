import { Stretches } from './stretches.js';
import { SHORTEST_TIMEOUT_NS } from './runs.js';
import { Sample } from '../base/sample.js';

/** Limit of responses that count as missing at once: no requester has more outstanding. */
const MOST_COUNTED = 1 << 14;

/** PSNs that a requester may have had in flight when the capture began. */
const IN_FLIGHT = 256;

/**
 * The responses that are due to the READs and atomics of one requester, one per PSN. An ACK does not replace them: a
 * READ is complete only when all its responses came.
 */
export class Responses {
  /** PSNs that are due a response of their own. */
  readonly #due = new Stretches();
  /** PSNs whose response the capture holds. */
  readonly #here = new Stretches();
  /** PSNs that were asked for again. */
  readonly #again = new Stretches();
  /** PSNs that a later answer passed over. */
  readonly #passed = new Stretches();
  /** Position before which all was checked. */
  #next = -Infinity;
  #passedT = -Infinity;
  #passedByAck = false;
  #answeredAgain = -Infinity;
  #asked = -Infinity;
  /** READs before this position may also have been requested before the capture began. */
  #trusted = Infinity;
  /** Packets after which responses were found missing. */
  readonly missing = new Sample();
  missingPsns = 0;
  /** Missing PSNs whose response came with a wrong ICRC. */
  wrongPsns = 0;
  readonly #wrong = new Set<number>();
  /** Responses that the capture held already. `repeated`: the READ was sent again; `unasked`: it was not. */
  readonly repeated = new Sample();
  readonly unasked = new Sample();
  /** Responses that came behind later ones without a repeated request. */
  readonly late = new Sample();

  clear(): void {
    for (const one of [this.#due, this.#here, this.#again, this.#passed]) one.clear();
    this.#wrong.clear();
    this.#next = -Infinity;
    this.#asked = -Infinity;
    this.#trusted = Infinity;
  }

  /**
   * Processes responses from before the match. Those of `came` were captured; the others before `position` are unknown.
   */
  forget(position: number, came: readonly number[]): void {
    this.#next = Math.max(this.#next, position);
    for (const p of came) this.#here.add(p, p + 1);
    this.#due.each(-Infinity, position, (from, to) => this.#passed.add(from, to));
  }

  /** Adds the responses that a request asks for. */
  ask(from: number, to: number): void {
    this.#due.add(from, to);
    this.#asked = Math.max(this.#asked, to);
  }

  /** Removes responses that were not asked for after all. */
  forgo(from: number, to: number): void {
    this.#due.remove(from, to);
  }

  due(position: number): boolean {
    return this.#due.has(position);
  }

  has(position: number): boolean {
    return this.#here.has(position);
  }

  /** True if a later answer passed this response over, so that the requester knows that it is missing. */
  passedOver(position: number): boolean {
    return this.#passed.has(position);
  }

  /** True if responses before `position` were passed over and did not come. */
  lacksBefore(position: number): boolean {
    let lacks = false;
    this.#passed.each(position - IN_FLIGHT, position, (from, to) => {
      for (let p = from; p < to && !lacks; p++) lacks = !this.#here.has(p);
    });
    return lacks;
  }

  /** Processes a response that its receiver drops because of its ICRC. */
  wrong(position: number): void {
    if (this.#wrong.size < 256) this.#wrong.add(position);
  }

  /**
   * Processes a repeated request for [from, to), whose responses start again at `from`. `answered`: the capture holds
   * other responses to the same request, so the responder has it, and absent responses are missing.
   */
  askAgain(from: number, to: number, number: number, answered: boolean): void {
    if (answered) this.#pass(this.#next, to, number, 0);
    this.#again.add(from, to);
    this.#next = Math.min(this.#next, from);
  }

  /** Processes a response. Returns true if the capture has it for the first time. */
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
      // An ACK may be for packets from before the capture. A READ that was repeated before the capture is answered from
      // its first packet on.
      if (first || position === this.#answeredAgain + 1) this.#answeredAgain = position;
      else if (!this.#passedByAck && position >= this.#trusted) this.late.add(number);
    }
    return true;
  }

  /** Processes an answer to all before `position`. */
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
