import { LatencyHistogram, type ProgramEvent, type ProgramWork } from '@verbslab/protocol';
import type { FeedCompletion } from './messages.js';

/** What one process did so far; times in nanoseconds on the run’s clock, null before its first completion. */
interface ProcessWork {
  messages: number;
  bytes: number;
  first: number | null;
  last: number | null;
}

const SHOWN_PEERS = 8;
/** More are counted as so many. */
const KNOWN_PEERS = 4096;

/** Sums up what the processes of a command did with RDMA. */
export class WorkTally {
  readonly #processes = new Map<string, ProcessWork>();
  readonly #latency = new LatencyHistogram();
  readonly #peers = new Set<string>();
  #device: string | null = null;
  #sampled = false;

  /** The latest sums of a process are its sums. */
  process(name: string, work: ProcessWork): void {
    this.#processes.set(name, work);
  }

  completions(records: readonly FeedCompletion[], dropped: number): void {
    this.#sampled ||= dropped > 0;
    // A receive has no latency: its program waited for the peer.
    for (const { latency, meta } of records)
      if (latency > 0 && ((meta >>> 8) & 0xff) === 0) this.#latency.record(latency);
  }

  event(event: ProgramEvent): void {
    if (event.kind === 'endpoint') this.#device ??= event.device;
    else if (event.kind === 'traffic') for (const { gid } of event.peers) this.#peer(gid);
    else if (event.kind === 'qp' && typeof event.attrs.dgid === 'string') this.#peer(event.attrs.dgid);
  }

  #peer(gid: string): void {
    if (this.#peers.size < KNOWN_PEERS) this.#peers.add(gid);
  }

  get result(): ProgramWork {
    const all = [...this.#processes.values()];
    const sum = (of: (work: ProcessWork) => number): number => all.reduce((n, work) => n + of(work), 0);
    const firsts = all.flatMap(({ first }) => (first === null ? [] : [first]));
    const lasts = all.flatMap(({ last }) => (last === null ? [] : [last]));
    return {
      processes: all.length,
      device: this.#device,
      messages: sum(({ messages }) => messages),
      bytes: sum(({ bytes }) => bytes),
      seconds: firsts.length === 0 ? null : Math.max(0, Math.max(...lasts) - Math.min(...firsts)) / 1e9,
      latencyUs: this.#latency.us(),
      sampled: this.#sampled,
      peers: [...this.#peers].slice(0, SHOWN_PEERS),
      peerCount: this.#peers.size,
    };
  }
}
