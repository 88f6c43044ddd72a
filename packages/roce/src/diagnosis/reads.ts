/** Limit of READs that are kept to find the request of a response. */
const MOST = 64;

export const MTUS = [256, 512, 1024, 2048, 4096];

/** A READ with an unknown number of packets. */
export interface Uncertain {
  position: number;
  length: number;
  number: number;
  t: number;
}

/** A READ whose number of packets was inferred from the next request. */
export interface Guess extends Uncertain {
  end: number;
  /** Packet number of the next request. */
  behind: number;
}

interface Read {
  position: number;
  end: number;
  number: number;
  t: number;
}

/** The last READs of a requester, and the PSNs that each of them takes. */
export class Reads {
  #list: Read[] = [];
  /** READs that wait for the path MTU. */
  #guesses: Guess[] = [];

  clear(): void {
    this.#list = [];
    this.#guesses = [];
  }

  add(read: Read): void {
    this.#list.push(read);
    if (this.#list.length > MOST) this.#list.shift();
  }

  /** Returns the READ that takes this position. */
  of(position: number): Read | undefined {
    if (this.#list.length === 0) return undefined;
    return this.#list.findLast((read) => position >= read.position && position < read.end);
  }

  /** Returns true if a READ of this length takes `span` packets with one of the path MTUs. */
  static fits({ length }: Uncertain, span: number): boolean {
    return MTUS.some((mtu) => Math.ceil(length / mtu) === span);
  }

  guess(guess: Guess): void {
    if (this.#guesses.length < MOST) this.#guesses.push(guess);
  }

  /**
   * Returns the READs that take fewer packets than inferred, with the position at which they end. The path MTU is known
   * now.
   */
  shorten(mtu: number): (Guess & { right: number })[] {
    if (this.#guesses.length === 0) return [];
    const guesses = this.#guesses;
    this.#guesses = [];
    return guesses.flatMap((guess) => {
      const { position, end, length } = guess;
      const right = position + Math.max(1, Math.ceil(length / mtu));
      if (right >= end) return [];
      for (const read of this.#list) if (read.position === position && read.end === end) read.end = right;
      return [{ ...guess, right }];
    });
  }
}
