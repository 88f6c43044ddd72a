/** What a run's stream tells of its processes, as far as the rules of a standstill need it. */
import {
  errnoOf,
  lookupWcStatus,
  type EventBody,
  type RunEventOf,
  type Standstill,
  type StillCq,
  type StillQp,
} from '@verbslab/protocol';

/** An event with its time; `seq` is not needed, so that the command `exec` can ask while it records. */
export type TimedEvent = EventBody & { t?: number | undefined; endpoint?: string | undefined };

/** A process in which something stands still, or that ended while it did. */
export interface StillProcess extends Standstill {
  endpoint: string;
  /** Time of the latest sample in which something had changed. */
  t: number;
}

export interface Failure {
  t: number;
  wrId: number;
  status: string;
}

/** States and ends are seen by samples, this far apart at most, ns. */
const SAMPLED_NS = 1e9;

type Injected = Pick<RunEventOf<'faults'>, 'rates' | 'rules'>;

const keyOf = (endpoint: string, qpn: number): string => `${endpoint} ${qpn}`;

export const NOTHING_STILL: Standstill = { qps: [], cqs: [], more: 0, others: 0 };

export const standsStill = ({ qps, cqs, acks }: Standstill): boolean =>
  qps.length > 0 || cqs.length > 0 || acks !== undefined;

/** Facts of a run, folded from its events in order. */
export class StillFacts {
  readonly #processes = new Map<string, StillProcess>();
  /** Addresses of each process that has opened the device. */
  readonly #gids = new Map<string, readonly string[]>();
  /** End of each process that has ended, ns. */
  readonly #ended = new Map<string, number>();
  /** QPs, and true for those that still exist. */
  readonly #qps = new Map<string, boolean>();
  /** Address of each QP's peer. */
  readonly #peers = new Map<string, string>();
  readonly #failures = new Map<string, Failure>();
  readonly #refused = new Map<string, number>();
  readonly #injected = new Map<string, Injected>();

  /** Time of the latest event, ns. */
  latest = 0;

  /** Takes an event. True if something new stands still, or no longer. */
  event(e: TimedEvent): boolean {
    const { endpoint = '', t = 0 } = e;
    this.latest = Math.max(this.latest, t);
    if (e.kind === 'standstill') {
      this.#processes.set(endpoint, { ...e, endpoint, t });
      if (e.over) this.#ended.set(endpoint, t);
    } else if (e.kind === 'endpoint') {
      this.#gids.set(e.endpoint ?? e.role, e.gids ?? []);
      this.#ended.delete(e.endpoint ?? e.role);
    } else if (e.kind === 'counter') {
      if (e.when === 'after') this.#ended.set(endpoint, t);
    } else if (e.kind === 'qp') {
      if (typeof e.attrs.dgid === 'string') this.#peers.set(keyOf(endpoint, e.qpn), e.attrs.dgid);
    } else if (e.kind === 'object') {
      if (e.object === 'QP') this.#qps.set(keyOf(endpoint, e.number), e.phase === 'made');
    } else if (e.kind === 'completion') this.#completion(e, endpoint, t);
    else if (e.kind === 'verb') {
      if (e.call === 'ibv_post_send' && errnoOf(e) === 'ENOMEM')
        this.#refused.set(endpoint, (this.#refused.get(endpoint) ?? 0) + 1);
    } else if (e.kind === 'faults') this.#injected.set(endpoint, e);
    return e.kind === 'standstill';
  }

  #completion({ wc }: Extract<EventBody, { kind: 'completion' }>, endpoint: string, t: number): void {
    const key = keyOf(endpoint, wc.qpn);
    const before = this.#failures.get(key);
    if (wc.status !== 0 && (before === undefined || t - before.t > SAMPLED_NS))
      this.#failures.set(key, { t, wrId: wc.wrId, status: lookupWcStatus(wc.status).name });
  }

  /** Processes in which something stands still: of those that live, or, `ended`, that ended so. */
  processes(ended = false): StillProcess[] {
    return [...this.#processes.values()].filter((one) => (one.over ?? false) === ended && standsStill(one));
  }

  /** The QP at the other end of one of process `from`, if it stands still in a process of the run. */
  peerOf({ qpn, peerQpn }: StillQp, from: StillProcess): { qp: StillQp; of: StillProcess } | null {
    for (const of of this.processes(from.over))
      for (const qp of of.qps) if (qp.qpn === peerQpn && qp.peerQpn === qpn) return { qp, of };
    return null;
  }

  /** The process of the run that has, or had, the peer of a QP; null if it is in none, or that is unknown. */
  ownerOfPeer(endpoint: string, { qpn, peerQpn }: Pick<StillQp, 'qpn' | 'peerQpn'>): string | null {
    const address = this.#peers.get(keyOf(endpoint, qpn));
    if (peerQpn === undefined || address === undefined) return null;
    for (const [owner, gids] of this.#gids)
      if (gids.includes(address) && this.#qps.has(keyOf(owner, peerQpn))) return owner;
    return null;
  }

  /** Why nothing can come from the peer; null if the run does not tell. */
  gone(of: StillProcess, qp: StillQp): string | null {
    const owner = this.ownerOfPeer(of.endpoint, qp);
    if (owner === null || qp.peerQpn === undefined) return null;
    const ended = this.#ended.get(owner);
    // Processes that a signal ends together ended for the same reason.
    if (owner !== of.endpoint && ended !== undefined && (!of.over || ended < of.t - SAMPLED_NS))
      return `its process (${owner}) has ended`;
    return this.#qps.get(keyOf(owner, qp.peerQpn)) === false ? 'it was destroyed' : null;
  }

  /** The failed completion of this QP that was polled first, if it belongs to its ERR state since `stateSince`. */
  failure(endpoint: string, qpn: number, stateSince: number): Failure | null {
    const known = this.#failures.get(keyOf(endpoint, qpn));
    // States are sampled, so the program may have polled the completion a little earlier.
    return known !== undefined && known.t >= stateSince - SAMPLED_NS ? known : null;
  }

  /** Number of recorded posts that a full send queue refused. */
  refusedPosts(endpoint: string): number {
    return this.#refused.get(endpoint) ?? 0;
  }

  /** True if a person has the device of this process lose, delay or change packets. */
  injects(endpoint: string): boolean {
    const faults = this.#injected.get(endpoint);
    return faults !== undefined && (faults.rates !== undefined || (faults.rules ?? []).length > 0);
  }
}

/** A CQ of a process by its number. */
export const cqOf = ({ cqs }: Standstill, number: number): StillCq | undefined =>
  cqs.find((cq) => cq.number === number && number !== 0);
