import { flushSync } from 'react-dom';
import type { RunModel, Topic } from '../run/model/run-model';

/** Views are told of changes at most this often. */
const INTERVAL_MS = 100;
/** On a machine too slow for that, less often: drawing takes at most this share of the page's time. */
const SHARE = 0.3;
const LONGEST_MS = 500;

interface Subscriber {
  topics: readonly Topic[];
  notify: () => void;
  /** Costly to draw: gets a frame of its own. */
  heavy: boolean;
  seen: number;
}

const sum = (model: RunModel, topics: readonly Topic[]): number =>
  topics.reduce((n, t) => n + model.version[t], 0);

/**
 * Tells the views of one run that something they depend on changed: ten times a second, cheap views together,
 * costly ones spread over the frames in between, so that no single frame draws everything. Data arrives at any
 * rate; only drawing is paced.
 */
export class RunView {
  readonly model: RunModel;
  readonly #subscribers = new Set<Subscriber>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame = 0;
  #paused = false;
  #lastTick = 0;
  /** Milliseconds that the latest round of drawing took. */
  #cost = 0;
  readonly #pauseListeners = new Set<() => void>();

  constructor(model: RunModel) {
    this.model = model;
  }

  get paused(): boolean {
    return this.#paused;
  }

  setPaused(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const f of this.#pauseListeners) f();
    if (!paused) this.poke();
  }

  onPause = (f: () => void): (() => void) => {
    this.#pauseListeners.add(f);
    return () => this.#pauseListeners.delete(f);
  };

  subscribe(topics: readonly Topic[], notify: () => void, heavy: boolean): () => void {
    const s: Subscriber = { topics, notify, heavy, seen: -1 };
    s.seen = sum(this.model, topics);
    this.#subscribers.add(s);
    return () => this.#subscribers.delete(s);
  }

  /** Something arrived. Costs nothing when a tick is already due. */
  poke(): void {
    if (this.#timer !== null || this.#frame !== 0 || this.#paused || this.#subscribers.size === 0) return;
    const interval = Math.min(LONGEST_MS, Math.max(INTERVAL_MS, this.#cost / SHARE));
    const wait = Math.max(0, this.#lastTick + interval - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#tick();
    }, wait);
  }

  #tick(): void {
    this.#lastTick = performance.now();
    let cost = 0;
    const due = [...this.#subscribers].filter((s) => s.seen !== sum(this.model, s.topics));
    const light = due.filter((s) => !s.heavy);
    const heavy = due.filter((s) => s.heavy);
    const step = () => {
      this.#frame = 0;
      if (this.#paused) return;
      const now = light.length > 0 ? light.splice(0) : heavy.splice(0, 1);
      const start = performance.now();
      // Drawn here and now: each frame then has its own share of the work, and the work can be timed.
      flushSync(() => {
        for (const s of now) {
          if (!this.#subscribers.has(s)) continue;
          s.seen = sum(this.model, s.topics);
          s.notify();
        }
      });
      cost += performance.now() - start;
      this.#cost = cost;
      if (light.length + heavy.length > 0) this.#frame = requestAnimationFrame(step);
      else if ([...this.#subscribers].some((s) => s.seen !== sum(this.model, s.topics))) this.poke();
    };
    if (due.length > 0) this.#frame = requestAnimationFrame(step);
  }
}
