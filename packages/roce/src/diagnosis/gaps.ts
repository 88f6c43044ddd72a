import { Sample } from '../base/sample.js';

/** Gaps of one requester that are followed at the same time; older ones are counted as undecided. */
const MOST = 64;

export interface Gap {
  position: number;
  count: number;
  /** Of the PSNs, those that a READ takes for its responses: no packet has them. */
  responses: number;
  /** The packet after the gap. */
  number: number;
  /** A NAK asked for one of the missing PSNs. */
  asked: boolean;
  /** One of the missing PSNs has been captured since. */
  filled: boolean;
  /** All of them were captured with a wrong ICRC. */
  wrong: boolean;
}

/** How many PSNs, and the packets after which they were missed. */
export class Missing {
  psns = 0;
  /** Requests that have these PSNs, as far as it is known. */
  requests = 0;
  readonly packets = new Sample();
  add({ count, responses, number }: Pick<Gap, 'count' | 'responses' | 'number'>): void {
    this.psns += count;
    this.requests += count - responses;
    this.packets.add(number);
  }
}

/** PSNs that a requester skipped in the capture, and what became of them. */
export class Gaps {
  /** A NAK of the receiver asked for them: it did not get them either. */
  readonly lost = new Missing();
  /** They were sent again, and no NAK in the capture says whether the receiver missed them. */
  readonly resent = new Missing();
  /** The receiver acknowledged them and nothing was sent again: only the capture lacks them. */
  readonly uncaptured = new Missing();
  /** Their packets are there with a wrong ICRC. */
  readonly wrong = new Missing();
  /** The capture does not show what became of them. */
  readonly open = new Missing();
  /** All PSNs that were missing when a later one came. */
  psns = 0;
  readonly #list: Gap[] = [];

  /** `wrong`: how many of them are there with a wrong ICRC. */
  add(position: number, count: number, number: number, wrong = 0): Gap {
    this.psns += count - wrong;
    if (this.#list.length === MOST) this.#decide(this.#list.shift()!, this.open);
    const gap = {
      position,
      count,
      responses: 0,
      number,
      asked: false,
      filled: false,
      wrong: wrong === count,
    };
    this.#list.push(gap);
    return gap;
  }

  /** It is none: a new connection began behind it. */
  forget(gap: object): void {
    for (const { count, wrong } of this.#take((each) => each === gap)) if (!wrong) this.psns -= count;
  }

  #decide(gap: Gap, as: Missing): void {
    (gap.wrong ? this.wrong : as).add(gap);
  }

  #at(position: number): Gap | undefined {
    return this.#list.find((g) => position >= g.position && position < g.position + g.count);
  }

  asked(position: number): void {
    const gap = this.#at(position);
    if (gap) gap.asked = true;
  }

  filled(position: number, span: number): void {
    const gap = this.#at(position);
    if (!gap) return;
    gap.filled = true;
    gap.responses += Math.min(span, gap.position + gap.count - position) - 1;
  }

  /** The packet after the gap that this position belongs to. */
  overtakenBy(position: number): number | undefined {
    return this.#at(position)?.number;
  }

  /** What was missing between two positions came late, and was not sent again. */
  late(first: number, last: number): void {
    this.#take((g) => g.filled && g.position <= last && g.position + g.count > first);
  }

  /** What was missing between two positions came late or was sent again. A NAK says that the receiver missed it at first. */
  doubted(first: number, last: number): void {
    for (const gap of this.#take((g) => g.filled && g.position <= last && g.position + g.count > first))
      if (gap.asked) this.#decide(gap, this.lost);
  }

  /** What was missing between two positions was sent again. */
  sentAgain(first: number, last: number): void {
    for (const gap of this.#take((g) => g.filled && g.position <= last && g.position + g.count > first))
      this.#decide(gap, gap.asked ? this.lost : this.resent);
  }

  /** All before `position` is acknowledged. */
  acknowledged(position: number): void {
    if (this.#list.length === 0) return;
    for (const gap of this.#take((g) => !g.filled && g.position + g.count <= position))
      this.#decide(gap, gap.asked ? this.lost : this.uncaptured);
  }

  end(): void {
    for (const gap of this.#list)
      this.#decide(gap, gap.asked ? this.lost : gap.filled ? this.resent : this.open);
    this.#list.length = 0;
  }

  #take(which: (gap: Gap) => boolean): Gap[] {
    const taken = this.#list.filter(which);
    if (taken.length > 0) {
      const left = this.#list.filter((g) => !taken.includes(g));
      this.#list.length = 0;
      this.#list.push(...left);
    }
    return taken;
  }
}
