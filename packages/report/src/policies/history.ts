import type { EventBody, PolicyState } from '@verbslab/protocol';

/** A queue pair with another policy than the default, over time. */
export interface PolicyTrack {
  endpoint: string;
  qpn: number;
  /** Each state holds until the next. Null: the queue pair was destroyed, or a sample had no place for it. */
  readonly states: readonly { t: number; state: PolicyState | null }[];
  /** The latest state of all. */
  readonly last: PolicyState;
}

interface OwnTrack extends PolicyTrack {
  states: { t: number; state: PolicyState | null }[];
  last: PolicyState;
}

const keyOf = (endpoint: string, qpn: number): string => `${endpoint} ${qpn}`;

/** Policies of all queue pairs of a run, folded from its `policies` events in order. */
export class PolicyHistory {
  readonly #tracks = new Map<string, OwnTrack>();
  /** Queue pairs that the latest sample of each endpoint names. */
  readonly #named = new Map<string, ReadonlySet<number>>();
  readonly #others = new Map<string, number>();
  #changes = 0;

  /** Takes an event. True if it was a sample. */
  event(e: EventBody & { t?: number | undefined; endpoint?: string | undefined }): boolean {
    if (e.kind !== 'policies') return false;
    const { endpoint = '', t = 0, qps, others } = e;
    for (const state of qps) {
      const key = keyOf(endpoint, state.qpn);
      const track = this.#tracks.get(key);
      if (track?.last.recoveryInEffect !== state.recoveryInEffect || track === undefined) this.#changes++;
      if (track === undefined)
        this.#tracks.set(key, { endpoint, qpn: state.qpn, states: [{ t, state }], last: state });
      else {
        track.states.push({ t, state });
        track.last = state;
      }
    }
    const named = new Set(qps.map(({ qpn }) => qpn));
    for (const qpn of this.#named.get(endpoint) ?? [])
      if (!named.has(qpn)) this.#tracks.get(keyOf(endpoint, qpn))!.states.push({ t, state: null });
    this.#named.set(endpoint, named);
    this.#others.set(endpoint, Math.max(others, this.#others.get(endpoint) ?? 0));
    return true;
  }

  /** How often a queue pair appeared, or got another recovery in effect: what names of policies depend on. */
  get changes(): number {
    return this.#changes;
  }

  /** Number of queue pairs that a sample has named. */
  get size(): number {
    return this.#tracks.size;
  }

  /** All queue pairs that a sample has named, in the order in which they appeared. */
  get tracks(): readonly PolicyTrack[] {
    return [...this.#tracks.values()];
  }

  /** Null for a queue pair that has the default policy, or that no sample has named. */
  track(endpoint: string, qpn: number): PolicyTrack | null {
    return this.#tracks.get(keyOf(endpoint, qpn)) ?? null;
  }

  /** Most queue pairs with another policy than the default that samples had no place for, over all endpoints. */
  get others(): number {
    return [...this.#others.values()].reduce((sum, n) => sum + n, 0);
  }
}
