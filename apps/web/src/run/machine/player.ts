/** Plays stages. The position goes from 0 to their number. Draws nothing itself. */
export class Player {
  readonly stages: number;
  /** Position; at the end until played. */
  #position: number;
  #rests = true;
  #frame = 0;
  #last = 0;
  readonly #listeners = new Set<() => void>();
  /** Duration of a stage, ms. */
  readonly #slice: number;

  constructor(stages: number) {
    this.stages = stages;
    this.#position = stages;
    this.#slice = Math.min(900, 9000 / Math.max(1, stages));
  }

  get position(): number {
    return this.#position;
  }

  get playing(): boolean {
    return this.#frame !== 0;
  }

  /** True if playing has reached the end and no stage was chosen since. */
  get rests(): boolean {
    return this.#rests;
  }

  /** Number of finished stages. */
  get over(): number {
    return Math.floor(this.#position);
  }

  /** The current stage, or the one that has just ended. */
  get stage(): number {
    return Math.max(0, Math.ceil(this.#position) - 1);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  seek(position: number): void {
    this.#position = Math.min(this.stages, Math.max(0, position));
    this.#rests = false;
    this.#tell();
  }

  /** Continues, or starts over after the end. */
  play(): void {
    if (this.playing || this.stages === 0) return;
    if (this.#position >= this.stages) this.#position = 0;
    this.#rests = false;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
    this.#tell();
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#tell();
  }

  #step = (now: number): void => {
    this.#position = Math.min(this.stages, this.#position + Math.max(0, now - this.#last) / this.#slice);
    this.#last = now;
    this.#rests = this.#position >= this.stages;
    this.#frame = this.#rests ? 0 : requestAnimationFrame(this.#step);
    this.#tell();
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
