/** READs that are remembered to tell which packet asked for a response. */
const MOST = 64;

export const MTUS = [256, 512, 1024, 2048, 4096];

/** A READ of unknown length in packets. */
export interface Uncertain {
  position: number;
  length: number;
  number: number;
  t: number;
}

/** A READ whose length in packets was told from the request behind it. */
export interface Guess extends Uncertain {
  end: number;
  /** That request. */
  behind: number;
}

interface Read {
  position: number;
  end: number;
  number: number;
  t: number;
}

/** The last READs of a requester, and which PSNs each of them takes. */
export class Reads {
  #list: Read[] = [];
  /** Until the path MTU is known. */
  #guesses: Guess[] = [];

  clear(): void {
    this.#list = [];
    this.#guesses = [];
  }

  add(read: Read): void {
    this.#list.push(read);
    if (this.#list.length > MOST) this.#list.shift();
  }

  /** The one that takes this position. */
  of(position: number): Read | undefined {
    if (this.#list.length === 0) return undefined;
    return this.#list.findLast((read) => position >= read.position && position < read.end);
  }

  /** Whether so many packets are what it takes with one of the path MTUs. */
  static fits({ length }: Uncertain, span: number): boolean {
    return MTUS.some((mtu) => Math.ceil(length / mtu) === span);
  }

  guess(guess: Guess): void {
    if (this.#guesses.length < MOST) this.#guesses.push(guess);
  }

  /** The path MTU is known. Those that take less than was guessed, with the position at which they end. */
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
