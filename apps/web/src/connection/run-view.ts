import { flushSync } from 'react-dom';
import type { RunModel, Topic } from '../model/run-model';

/**
 * Kinds of views by cost of drawing. The kind determines how often a view is updated, and which views are drawn with
 * it.
 */
export type Pace = 'text' | 'chart' | 'list' | 'table';

/** Update intervals: text, charts and lists ten times per second, tables of hundreds of rows half as often. */
const INTERVAL_MS: Record<Pace, number> = { text: 100, chart: 100, list: 100, table: 200 };
/** Largest share of the page's time that drawing may take. Slow machines therefore update less often. */
const SHARE = 0.3;
const LONGEST_MS = 500;

/** Interval while the page itself uses the CPU that is being measured. */
const SPARING_MS = 500;

/** Views that are drawn in the same frame: all texts, all charts, or a single view that costs more. */
interface Group {
  readonly pace: Pace;
  readonly members: Set<Subscriber>;
  drawnAt: number;
  /** Duration of the last drawing, ms. */
  cost: number;
}

interface Subscriber {
  readonly topics: readonly Topic[];
  readonly notify: () => void;
  seen: number;
}

const sum = (model: RunModel, topics: readonly Topic[]): number =>
  topics.reduce((n, t) => n + model.version[t], 0);

const newGroup = (pace: Pace): Group => ({ pace, members: new Set(), drawnAt: -Infinity, cost: 0 });

/**
 * Notifies the views of a run of changes to their topics. Data is taken in at any rate. Drawing is limited and spread:
 * no frame draws more than one group.
 */
export class RunView {
  readonly model: RunModel;
  readonly #shared: Partial<Record<Pace, Group>> = { text: newGroup('text'), chart: newGroup('chart') };
  readonly #groups = new Set<Group>(Object.values(this.#shared));
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame = 0;
  #paused = false;
  #sparing = false;
  readonly #pauseListeners = new Set<() => void>();

  constructor(model: RunModel) {
    this.model = model;
  }

  /** Limits drawing to twice per second: on few CPUs drawing changes the measurement. */
  setSparing(sparing: boolean): void {
    this.#sparing = sparing;
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

  subscribe(topics: readonly Topic[], notify: () => void, pace: Pace): () => void {
    const subscriber = { topics, notify, seen: sum(this.model, topics) };
    const group = this.#shared[pace] ?? newGroup(pace);
    group.members.add(subscriber);
    this.#groups.add(group);
    return () => {
      group.members.delete(subscriber);
      if (group.members.size === 0) this.#groups.delete(group);
    };
  }

  /** Reports new data. Costs nothing if a drawing is already scheduled. */
  poke(): void {
    if (this.#timer !== null || this.#frame !== 0 || this.#paused) return;
    const next = this.#next();
    if (!next) return;
    const wait = next.dueAt - performance.now();
    if (wait <= 0) {
      this.#frame = requestAnimationFrame(this.#draw);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.poke();
    }, wait);
  }

  #stale(group: Group): Subscriber[] {
    return [...group.members].filter((s) => s.seen !== sum(this.model, s.topics));
  }

  /** The group that has waited longest, among those with news. */
  #next(): { group: Group; dueAt: number } | null {
    let cost = 0;
    for (const group of this.#groups) cost += group.cost;
    const slowest = Math.min(LONGEST_MS, cost / SHARE);
    let first: { group: Group; dueAt: number } | null = null;
    for (const group of this.#groups) {
      const dueAt =
        group.drawnAt + Math.max(INTERVAL_MS[group.pace], slowest, this.#sparing ? SPARING_MS : 0);
      if ((!first || dueAt < first.dueAt) && this.#stale(group).length > 0) first = { group, dueAt };
    }
    return first;
  }

  #draw = (): void => {
    this.#frame = 0;
    const next = this.#paused ? null : this.#next();
    if (!next) return;
    const start = performance.now();
    // Draws synchronously, so that each frame has its own share of the work and the work can be timed.
    flushSync(() => {
      for (const s of this.#stale(next.group)) {
        s.seen = sum(this.model, s.topics);
        s.notify();
      }
    });
    next.group.drawnAt = start;
    next.group.cost = performance.now() - start;
    this.poke();
  };
}
