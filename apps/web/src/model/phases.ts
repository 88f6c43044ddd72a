import type { RunEventOf } from '@verbslab/protocol';

type PhaseEvent = RunEventOf<'phase'>;

export interface Phase {
  /** Event at the beginning of the phase. */
  begin: PhaseEvent;
  /** Nanoseconds since the run was created; Infinity while the phase goes on. */
  end: number;
}

/** Phases of a run, folded from its stream. */
export class PhaseStore {
  /** Phases in the order of their beginnings. */
  readonly all: Phase[] = [];
  readonly #open = new Map<string, Phase>();
  /**
   * For each phase, the latest end of it and all phases before it. If that is before a time, none of them contains the
   * time.
   */
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

  /** The latest phase that contains a time (ns of the run). */
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
