import { Sample } from '../base/sample.js';

/** Gaps of one requester that are followed at a time. Older ones count as undecided. */
const MOST = 64;

export interface Gap {
  position: number;
  count: number;
  /** Missing PSNs that a READ takes for its responses: no request has them. */
  responses: number;
  /** The packet after the gap. */
  number: number;
  /** True if a NAK asked for a missing PSN. */
  asked: boolean;
  /** True if a missing PSN has been captured since. */
  filled: boolean;
  /** True if all missing PSNs were captured with a wrong ICRC. */
  wrong: boolean;
}

/** Number of missing PSNs, and the packets right after them. */
export class Missing {
  psns = 0;
  /** Requests with these PSNs, as far as known. */
  requests = 0;
  readonly packets = new Sample();
  add({ count, responses, number }: Pick<Gap, 'count' | 'responses' | 'number'>): void {
    this.psns += count;
    this.requests += count - responses;
    this.packets.add(number);
  }
}

/** PSNs that a requester skipped in the capture, sorted by their fate. */
export class Gaps {
  /** PSNs that a NAK of the receiver asked for: the receiver did not get them either. */
  readonly lost = new Missing();
  /** PSNs that were sent again. No NAK in the capture says if the receiver missed them. */
  readonly resent = new Missing();
  /** PSNs that the receiver acknowledged and that were not sent again: only the capture lacks them. */
  readonly uncaptured = new Missing();
  /** PSNs that were captured with a wrong ICRC. */
  readonly wrong = new Missing();
  /** PSNs with an unknown fate. */
  readonly open = new Missing();
  /** Number of PSNs that were missing when a later one came. */
  psns = 0;
  readonly #list: Gap[] = [];

  /** `wrong`: number of the missing PSNs that were captured with a wrong ICRC. */
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

  /** Removes a gap that is none, because a new connection began behind it. */
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

  /** Returns the packet after the gap that holds this position. */
  overtakenBy(position: number): number | undefined {
    return this.#at(position)?.number;
  }

  /** Drops the gaps between two positions: their packets came late and were not sent again. */
  late(first: number, last: number): void {
    this.#take((g) => g.filled && g.position <= last && g.position + g.count > first);
  }

  /**
   * Decides the gaps between two positions whose packets came late or were sent again. A NAK shows that the receiver
   * missed them at first.
   */
  doubted(first: number, last: number): void {
    for (const gap of this.#take((g) => g.filled && g.position <= last && g.position + g.count > first))
      if (gap.asked) this.#decide(gap, this.lost);
  }

  /** Decides the gaps between two positions whose packets were sent again. */
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
