import { macText } from '../base/bytes.js';
import { QUANTUM_BITS } from '../packet/pause.js';
import type { Pause } from '../packet/pause.js';
import type { PacketFacts } from './facts.js';
import { Sample } from '../base/sample.js';

/** Limit of senders and priorities that are followed. */
const MAX_FOLLOWED = 1024;
/** Link speeds for which pause times are computed if the file does not state the speed, bits per second. */
const USUAL_SPEEDS = [25e9, 100e9, 400e9];

/** Pause frames of one sender for one priority. */
export class PausesOf {
  readonly packets = new Sample();
  /** Frames that tell the other end to resume. */
  resumes = 0;
  #last: { t: number; quanta: number } | null = null;
  readonly #paused: number[];

  constructor(
    readonly sender: string,
    /** Priority that is paused; null for PAUSE, which stops all. */
    readonly priority: number | null,
    /** Speed of the link in bits per second, or the usual speeds if it is unknown. */
    readonly speeds: readonly number[],
    readonly known: boolean,
  ) {
    this.#paused = speeds.map(() => 0);
  }

  see(p: PacketFacts, quanta: number): void {
    this.packets.add(p.number);
    if (quanta === 0) this.resumes++;
    this.#until(p.t);
    this.#last = { t: p.t, quanta };
  }

  /** Returns the time that the other end was to be silent, ns, for each of `speeds`. */
  paused(): readonly number[] {
    this.#until(Infinity);
    this.#last = null;
    return this.#paused;
  }

  /** Adds the pause of the last frame up to `t`: a later frame replaces it. */
  #until(t: number): void {
    const last = this.#last;
    if (!last) return;
    this.speeds.forEach((speed, i) => {
      const asked = (last.quanta * QUANTUM_BITS * 1e9) / speed;
      this.#paused[i]! += Math.max(0, Math.min(asked, t - last.t));
    });
  }
}

export class Pauses {
  readonly #all = new Map<string, PausesOf>();
  notFollowed = 0;

  see(p: PacketFacts, { priorities, quanta }: Pause, bitsPerSecond: number | undefined): void {
    const sender = p.data.length >= 12 ? macText(p.data, 6) : '';
    (priorities ?? [null]).forEach((priority, i) =>
      this.#of(sender, priority, bitsPerSecond)?.see(p, quanta[i]!),
    );
  }

  #of(sender: string, priority: number | null, bitsPerSecond: number | undefined): PausesOf | null {
    const key = `${sender} ${priority ?? ''} ${bitsPerSecond ?? ''}`;
    let found = this.#all.get(key);
    if (found) return found;
    if (this.#all.size === MAX_FOLLOWED) {
      this.notFollowed++;
      return null;
    }
    const speeds = bitsPerSecond === undefined ? USUAL_SPEEDS : [bitsPerSecond];
    found = new PausesOf(sender, priority, speeds, bitsPerSecond !== undefined);
    this.#all.set(key, found);
    return found;
  }

  /** Senders and priorities, those with the most frames first. */
  get all(): PausesOf[] {
    return [...this.#all.values()].sort((a, b) => b.packets.total - a.packets.total);
  }
}
