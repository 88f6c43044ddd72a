/** Milliseconds of a stage on screen, whatever it took. */
const STAGE_MS = 2600;
/** Milliseconds that a step takes to the moment that explains a stage, as a whole stage. */
const STEP_MS = 1400;
/** The moment that explains a stage, as a part of it. */
export const TELLING = 0.6;
/** Time between two frames while the computer has other work. */
const SPARING_MS = 250;

export interface PlaybackOptions {
  loop: boolean;
  /** Four frames per second. */
  sparing: boolean;
  /** The reader wants no movement: what plays goes from stage to stage. */
  calm: boolean;
  /** Number of stages that can be seen; the next one waits for its question to be answered. Null: all. */
  limit: number | null;
}

/**
 * Plays stages of equal length. The position goes from 0 to their number. Knows neither what the stages show nor how.
 */
export class Playback {
  readonly stages: number;
  #options: PlaybackOptions = { loop: false, sparing: false, calm: false, limit: null };
  #position: number;
  /** Position at which a step ends; null if nothing steps. */
  #target: number | null = null;
  #playing = false;
  #held = false;
  #frame = 0;
  #last = 0;
  /** Milliseconds since the last frame that was shown. */
  #waited = 0;
  readonly #listeners = new Set<() => void>();

  constructor(stages: number, position = 0) {
    this.stages = stages;
    this.#position = position;
  }

  get position(): number {
    return this.#position;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Something moves now. */
  get moving(): boolean {
    return this.#frame !== 0;
  }

  /** The stage at the position; the last one at the end. */
  get stage(): number {
    return Math.max(0, Math.min(this.stages - 1, Math.floor(this.#position)));
  }

  /** The position is where the next stage's question is asked. */
  get asks(): boolean {
    return this.#options.limit !== null && this.#position >= this.#options.limit;
  }

  get #end(): number {
    return Math.min(this.stages, this.#options.limit ?? this.stages);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(options: Partial<PlaybackOptions>): void {
    this.#options = { ...this.#options, ...options };
    if (this.#position > this.#end) this.#move(this.#end);
  }

  /** Stops the clock while the picture is out of sight. */
  hold(held: boolean): void {
    this.#held = held;
    this.#run();
  }

  play(): void {
    if (this.#playing || this.stages === 0) return;
    if (this.#position >= this.#end) this.#position = 0;
    this.#target = null;
    this.#playing = true;
    this.#run();
    this.#tell();
  }

  pause(): void {
    this.#playing = false;
    this.#target = null;
    this.#run();
    this.#tell();
  }

  seek(position: number): void {
    this.#playing = false;
    this.#target = null;
    this.#run();
    this.#move(position);
  }

  /** Goes to a stage, up to the moment that explains it. */
  go(stage: number): void {
    const first = Math.min(Math.max(0, stage), this.#end);
    const telling = Math.min(first + TELLING, this.#end);
    this.#playing = false;
    const jumps = this.#options.calm || this.#options.sparing;
    this.#target = jumps || first === telling ? null : telling;
    this.#run();
    this.#move(this.#target === null ? telling : first);
  }

  step(by: 1 | -1): void {
    const next = this.stage + by;
    const { loop, limit } = this.#options;
    if (limit !== null && this.#position >= limit && by > 0) return;
    if (!loop || limit !== null) this.go(Math.min(next, limit ?? this.stages - 1));
    else this.go((next + this.stages) % this.stages);
  }

  /** Starts or stops the clock. */
  #run(): void {
    const runs = (this.#playing || this.#target !== null) && !this.#held;
    if (runs === this.moving) return;
    if (!runs) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      return;
    }
    this.#last = performance.now();
    this.#waited = 0;
    this.#frame = requestAnimationFrame(this.#tick);
  }

  #tick = (now: number): void => {
    this.#waited += Math.max(0, now - this.#last);
    this.#last = now;
    this.#frame = requestAnimationFrame(this.#tick);
    const { calm, sparing } = this.#options;
    const wait = calm ? STAGE_MS : sparing ? SPARING_MS : 0;
    if (this.#waited < wait) return;
    const passed = this.#waited;
    this.#waited = 0;
    if (this.#target !== null) {
      const next = Math.min(this.#target, this.#position + passed / STEP_MS);
      if (next >= this.#target) {
        this.#target = null;
        this.#run();
      }
      this.#move(next);
    } else if (calm) this.#advance(this.stage + 1 + (this.stage + 1 < this.#end ? TELLING : 0));
    else this.#advance(this.#position + passed / STAGE_MS);
  };

  #advance(position: number): void {
    const { loop, limit } = this.#options;
    if (position >= this.#end && !(loop && limit === null)) {
      this.#playing = false;
      this.#run();
    }
    const again = position >= this.#end && this.#playing;
    this.#move(again ? (this.#options.calm ? TELLING : 0) : position);
  }

  #move(position: number): void {
    this.#position = Math.min(this.#end, Math.max(0, position));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
