import { LatencyHistogram, type ProgramEvent, type ProgramWork } from '@verbslab/protocol';
import { QpPairs } from './qp-pairs.js';
import type { FeedCompletion } from './messages.js';

/** Work of one process so far; times in ns on the run’s clock, null for events that have not happened. */
interface ProcessWork {
  messages: number;
  bytes: number;
  /** Parts of `bytes`, by operation. */
  moved: NonNullable<ProgramWork['moved']>;
  firstPosted: number | null;
  firstPolled: number | null;
  lastPolled: number | null;
  /** The part of `bytes` that was moved before the first completion was polled, in an unknown time. */
  bytesAtFirst: number;
  /** Null if the process posted no send. */
  oneAtATime: boolean | null;
}

/** Work of a process that has only opened the device. */
const NOTHING: ProcessWork = {
  ...{ messages: 0, bytes: 0, moved: { written: 0, read: 0, sent: 0, received: 0 } },
  ...{ firstPosted: null, firstPolled: null, lastPolled: null, bytesAtFirst: 0, oneAtATime: null },
};

/** A time span, and the bytes moved in it. */
interface Timed {
  from: 'post' | 'completion';
  start: number;
  end: number;
  bytes: number;
}

/**
 * The span from the first post to the last completion, if the post came first. A process that only receives cannot know
 * when its peer posted: its span starts at the first completion, without the bytes moved until then.
 */
function timed({ bytes, firstPosted, firstPolled, lastPolled, bytesAtFirst }: ProcessWork): Timed | null {
  if (firstPolled === null || lastPolled === null) return null;
  if (firstPosted !== null && firstPosted <= firstPolled)
    return { from: 'post', start: firstPosted, end: lastPolled, bytes };
  return { from: 'completion', start: firstPolled, end: lastPolled, bytes: bytes - bytesAtFirst };
}

/** Removes received bytes: a process of the command, the same or another, has sent and counts them. */
function withoutReceived(work: ProcessWork): ProcessWork {
  const { received } = work.moved;
  return {
    ...work,
    bytes: work.bytes - received,
    moved: { ...work.moved, received: 0 },
    bytesAtFirst: Math.max(0, work.bytesAtFirst - received),
  };
}

const SHOWN_PEERS = 8;
/** Peers that are known. Their count does not go beyond this. */
const KNOWN_PEERS = 4096;

type CounterValues = Readonly<Record<string, number>>;

const POSTED = ['posted_sends', 'posted_recvs', 'posted_srq_recvs'];
const RECEIVED = ['rcvd_pkts'];

/** Sums up what the processes of a command did with RDMA. */
export class WorkTally {
  readonly #processes = new Map<string, ProcessWork>();
  readonly #latency = new LatencyHistogram();
  readonly #peers = new Set<string>();
  readonly #pairs = new QpPairs();
  /** Counters of each process: when it opened the device, and the latest. */
  readonly #counters = new Map<string, { before: CounterValues; last: CounterValues; whole: boolean }>();
  #refused = 0;
  #device: string | null = null;
  #sampled = false;

  /** Sets the sums of a process to its latest. */
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
    this.#pairs.event(event.endpoint ?? '', event);
    if (event.kind === 'endpoint') this.#opened(event);
    else if (event.kind === 'counter') this.#counter(event);
    else if (event.kind === 'verb' && event.call.startsWith('ibv_post_')) this.#refused++;
    else if (event.kind === 'traffic') for (const { gid } of event.peers) this.#peer(gid);
    else if (event.kind === 'qp' && typeof event.attrs.dgid === 'string') this.#peer(event.attrs.dgid);
  }

  #opened({ endpoint, role, device }: Extract<ProgramEvent, { kind: 'endpoint' }>): void {
    this.#device ??= device;
    const name = endpoint ?? role;
    if (!this.#processes.has(name)) this.#processes.set(name, NOTHING);
  }

  #counter({ endpoint = '', when, values }: Extract<ProgramEvent, { kind: 'counter' }>): void {
    const known = this.#counters.get(endpoint);
    this.#counters.set(endpoint, {
      before: known?.before ?? (when === 'before' ? values : {}),
      last: values,
      whole: when === 'after',
    });
  }

  /**
   * Sum of the growth of these counters over all processes; undefined unless each process reported its counters up to
   * its end.
   */
  #growth(names: readonly string[]): number | undefined {
    const all = [...this.#processes.keys()].map((name) => this.#counters.get(name));
    if (!all.every((one) => one?.whole)) return undefined;
    return all.reduce(
      (sum, one) => sum + names.reduce((n, name) => n + (one!.last[name] ?? 0) - (one!.before[name] ?? 0), 0),
      0,
    );
  }

  #peer(gid: string): void {
    if (this.#peers.size < KNOWN_PEERS) this.#peers.add(gid);
  }

  get result(): ProgramWork {
    const all = [...this.#processes].map(([name, work]) =>
      this.#pairs.inside(name) ? withoutReceived(work) : work,
    );
    const moving = all.filter(({ bytes }) => bytes > 0);
    const sum = (of: (work: ProcessWork) => number): number => all.reduce((n, work) => n + of(work), 0);
    const spans = (moving.length > 0 ? moving : all).flatMap((work) => timed(work) ?? []);
    const start = Math.min(...spans.map((span) => span.start));
    const first = spans.find((span) => span.start === start);
    const end = Math.max(...spans.map((span) => span.end));
    const single = all.flatMap(({ oneAtATime }) => oneAtATime ?? []);
    const moved = (['written', 'read', 'sent', 'received'] as const).map(
      (how) => [how, sum((work) => work.moved[how])] as const,
    );
    const posted = this.#growth(POSTED);
    const packetsReceived = this.#growth(RECEIVED);
    return {
      processes: all.length,
      device: this.#device,
      messages: sum(({ messages }) => messages),
      bytes: sum(({ bytes }) => bytes),
      ...(posted === undefined ? {} : { posted: posted + this.#refused }),
      ...(packetsReceived === undefined ? {} : { packetsReceived }),
      moved: Object.fromEntries(moved) as ProcessWork['moved'],
      seconds: spans.length === 0 ? null : Math.max(0, end - start) / 1e9,
      timedBytes: spans.reduce((n, span) => n + span.bytes, 0),
      timedFrom: first?.from ?? 'post',
      ...(first ? { start } : {}),
      // Processes that each wait for their own request may still have two requests in flight.
      oneAtATime: single.length === 1 && single[0]!,
      latencyUs: this.#latency.us(),
      sampled: this.#sampled,
      peers: [...this.#peers].slice(0, SHOWN_PEERS),
      peerCount: this.#peers.size,
      connections: this.#pairs.list,
    };
  }
}
