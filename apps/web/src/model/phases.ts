import type { RunEventOf } from '@verbslab/protocol';

type PhaseEvent = RunEventOf<'phase'>;

export interface Phase {
  /** The event of its beginning. */
  begin: PhaseEvent;
  /** Nanoseconds since the run was created; Infinity while it goes on. */
  end: number;
}

/** The phases of a run, folded from its stream. */
export class PhaseStore {
  /** In the order of their beginnings. */
  readonly all: Phase[] = [];
  readonly #open = new Map<string, Phase>();
  /** For each phase the latest end of it and of all before it: what ended before cannot hold a later time. */
  readonly #ends: number[] = [];

  add(e: PhaseEvent): void {
    const id = `${e.transport ?? ''} ${e.id}`;
    if (e.phase === 'begin') {
      const phase = { begin: e, end: Infinity };
      this.all.push(phase);
      this.#open.set(id, phase);
      return;
    }
    const known = this.#open.get(id);
    if (!known) return;
    known.end = e.t;
    this.#open.delete(id);
    this.#ends.length = 0;
  }

  /** Of several that a time (ns of the run) lies in, the one that began last. */
  at(t: number): Phase | null {
    if (this.#ends.length !== this.all.length) this.#measure();
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle]!.begin.t <= t) low = middle + 1;
      else high = middle;
    }
    for (let i = low - 1; i >= 0 && this.#ends[i]! >= t; i--) if (this.all[i]!.end >= t) return this.all[i]!;
    return null;
  }

  #measure(): void {
    this.#ends.length = 0;
    let last = -Infinity;
    for (const { end } of this.all) this.#ends.push((last = Math.max(last, end)));
  }
}
