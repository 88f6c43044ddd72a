import { isProblem, type RunEventOf } from '@verbslab/protocol';
import type { Problem } from '@verbslab/report/failure';
import { count } from '../../../format/number';
import type { RunModel, TraceEvent } from '../../../model/run-model';

/** Events that all tracks of a kind together draw during a run, and at least `LEAST` per track. */
const MOST = 8000;
const LEAST = 200;

/** Latest events of a track, and the number of earlier ones. */
export class Latest<T> {
  #items: T[] = [];
  #total = 0;

  push(item: T, most: number): void {
    this.#total++;
    this.#items.push(item);
    // Cut rarely, so that the average cost per event is constant.
    if (this.#items.length >= 2 * most) this.#items = this.#items.slice(-most);
  }

  items(most: number): readonly T[] {
    return this.#items.length > most ? this.#items.slice(-most) : this.#items;
  }

  /** Number of events before the latest ones. */
  before(most: number): number {
    return this.#total - Math.min(most, this.#items.length);
  }
}

/** Latest events by endpoint or QP. */
export class LatestBy<T> {
  readonly #most: number;
  readonly #lists = new Map<string, Latest<T>>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#lists.size;
  }

  get keys(): readonly string[] {
    return [...this.#lists.keys()];
  }

  push(key: string, item: T): void {
    let list = this.#lists.get(key);
    if (!list) this.#lists.set(key, (list = new Latest()));
    list.push(item, this.#most);
  }

  /** Events that a track draws. `caveat`: text about the omitted ones; null if there are none. */
  of(key: string): { items: readonly T[]; caveat: string | null } {
    const share = Math.min(this.#most, Math.max(LEAST, Math.floor(this.#most / this.#lists.size)));
    const list = this.#lists.get(key);
    return { items: list?.items(share) ?? [], caveat: laterText(list?.before(share) ?? 0) };
  }
}

/** Text about events that are drawn later. */
export function laterText(earlier: number): string | null {
  if (earlier === 0) return null;
  return `the latest; ${count(earlier)} earlier ${earlier === 1 ? 'one is' : 'ones are'} drawn once the run has ended`;
}

type Completion = RunEventOf<'completion'>;

/**
 * Events of a run by the tracks that draw them. An update costs as much as its new events, and tracks draw a bounded
 * number of events during a run.
 */
export class TrackEvents {
  /** Verbs calls by endpoint; of a program, only failed ones. */
  readonly calls: LatestBy<RunEventOf<'verb'>>;
  readonly failed: LatestBy<Completion>;
  readonly async: LatestBy<RunEventOf<'async'>>;
  readonly findings: LatestBy<RunEventOf<'finding'>>;
  /** Work requests by endpoint and QP number. */
  readonly requests: LatestBy<RunEventOf<'wr'>>;
  readonly steps: RunEventOf<'step'>[] = [];
  readonly transitions: RunEventOf<'qp'>[] = [];
  /** Most snapshots of counters that a track draws. */
  readonly snapshots: number;
  callsFailed = false;
  /** Earliest time of all events, drawn or not. */
  first = Infinity;
  readonly #model: RunModel;
  #trace = 0;
  #problems = 0;
  #lives = 0;

  /** `whole`: keep all events, without a bound. */
  constructor(model: RunModel, { whole = false } = {}) {
    this.#model = model;
    const most = whole ? Infinity : MOST;
    this.snapshots = whole ? Infinity : MOST / 8;
    this.calls = new LatestBy(most);
    this.failed = new LatestBy(most);
    this.async = new LatestBy(most);
    this.findings = new LatestBy(most);
    this.requests = new LatestBy(most);
  }

  /** Adds the events since the last update. */
  update(): this {
    const { trace, problems, lives, livesSeen } = this.#model;
    for (; this.#trace < trace.length; this.#trace++) this.#take(trace[this.#trace]!);
    for (; this.#problems < problems.length; this.#problems++) {
      const e = problems[this.#problems]!;
      if (e.kind === 'verb') {
        if (!isProblem(e)) continue;
        this.callsFailed = true;
      }
      this.#take(e);
    }
    // The model cuts the list at its front.
    for (const wr of lives.slice(Math.max(0, lives.length - (livesSeen - this.#lives)))) this.#take(wr);
    this.#lives = livesSeen;
    return this;
  }

  #take(e: TraceEvent | Problem): void {
    const { endpoint = '' } = e;
    this.first = Math.min(this.first, e.kind === 'wr' ? e.posted : e.t);
    switch (e.kind) {
      case 'verb':
        return this.calls.push(endpoint, e);
      case 'completion':
        return e.wc.status === 0 ? undefined : this.failed.push(endpoint, e);
      case 'async':
        return this.async.push(endpoint, e);
      case 'finding':
        return this.findings.push(endpoint, e);
      case 'wr':
        return this.requests.push(`${endpoint} ${e.qpn}`, e);
      case 'step':
        this.steps.push(e);
        return;
      case 'qp':
        this.transitions.push(e);
        return;
      case 'exchange':
        return;
    }
  }
}
