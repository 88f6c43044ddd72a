import type { EventBody, QueueKind, QueueSample, SampledQueue } from '@verbslab/protocol';

export interface QueueName {
  endpoint: string;
  kind: QueueKind;
  /** Number of the QP, SRQ or CQ. */
  number: number;
}

/** Occupancy of a queue in a sample. */
export interface KnownFill extends SampledQueue {
  is: 'known';
  /** Time of the sample in which it was first so, ns of the run. */
  t: number;
}

/** `before`: no sample yet; `left-out`: a sample names the fullest only; `gone`: the queue was destroyed. */
export type QueueFillAt = KnownFill | { is: 'unknown'; why: 'before' | 'left-out' | 'gone' };

/** Changes of one queue over time. */
export interface QueueTrack extends QueueName {
  /** Each fill holds until the next. */
  readonly fills: readonly { t: number; fill: SampledQueue | 'left-out' | 'gone' }[];
}

interface OwnTrack extends QueueTrack {
  fills: { t: number; fill: SampledQueue | 'left-out' | 'gone' }[];
}

interface Process {
  /** Queues of the latest sample, by key. */
  named: Set<string>;
  /** The latest sample that names queues. */
  last: { t: number; sample: QueueSample } | null;
  /** The latest sample. */
  latest: { t: number; sample: QueueSample };
  first: number;
}

const keyOf = ({ endpoint, kind, number }: QueueName): string => `${endpoint} ${kind} ${number}`;

const same = (a: SampledQueue, b: SampledQueue): boolean =>
  a.used === b.used && a.queued === b.queued && a.since === b.since && a.size === b.size;

/** Occupancy of all queues of a run, folded from its `queues` events in order. */
export class QueueHistory {
  readonly #processes = new Map<string, Process>();
  readonly #tracks = new Map<string, OwnTrack>();

  /** Takes an event. True if it was a sample. */
  event(e: EventBody & { t?: number | undefined; endpoint?: string | undefined }): boolean {
    if (e.kind !== 'queues') return false;
    const { endpoint = '', t = 0, queues, others } = e;
    const before = this.#processes.get(endpoint);
    const sample = { queues, others };
    const named = new Set<string>();
    for (const queue of queues) {
      const name = { endpoint, kind: queue.kind, number: queue.number };
      const key = keyOf(name);
      named.add(key);
      let track = this.#tracks.get(key);
      if (track === undefined) this.#tracks.set(key, (track = { ...name, fills: [] }));
      const last = track.fills.at(-1)?.fill;
      if (last === undefined || typeof last === 'string' || !same(last, queue))
        track.fills.push({ t, fill: queue });
    }
    for (const key of before?.named ?? []) {
      if (named.has(key)) continue;
      const track = this.#tracks.get(key)!;
      track.fills.push({ t, fill: others.some(({ kind }) => kind === track.kind) ? 'left-out' : 'gone' });
    }
    this.#processes.set(endpoint, {
      named,
      latest: { t, sample },
      last: queues.length > 0 ? { t, sample } : (before?.last ?? null),
      first: before?.first ?? t,
    });
    return true;
  }

  /** Endpoints with samples. */
  get endpoints(): readonly string[] {
    return [...this.#processes.keys()];
  }

  /** Changes of each sampled queue, in the order in which they appeared. */
  get tracks(): readonly QueueTrack[] {
    return [...this.#tracks.values()];
  }

  /** The latest sample of an endpoint. `named`: the latest that names queues, which may all be gone by now. */
  latest(endpoint: string, { named = false } = {}): { t: number; sample: QueueSample } | null {
    const process = this.#processes.get(endpoint);
    return (named ? process?.last : process?.latest) ?? null;
  }

  /** Occupancy of a queue at a time. */
  at(name: QueueName, t: number): QueueFillAt {
    const process = this.#processes.get(name.endpoint);
    if (process === undefined || t < process.first) return { is: 'unknown', why: 'before' };
    const fills = this.#tracks.get(keyOf(name))?.fills ?? [];
    let low = 0;
    let high = fills.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (fills[middle]!.t <= t) low = middle + 1;
      else high = middle;
    }
    const found = fills[low - 1];
    if (found === undefined) {
      const others = process.latest.sample.others.some(({ kind }) => kind === name.kind);
      return { is: 'unknown', why: others ? 'left-out' : 'before' };
    }
    if (typeof found.fill === 'string') return { is: 'unknown', why: found.fill };
    return { is: 'known', ...found.fill, t: found.t };
  }

  track(name: QueueName): QueueTrack | null {
    return this.#tracks.get(keyOf(name)) ?? null;
  }
}
