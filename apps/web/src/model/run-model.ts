import {
  Connections,
  decodeHeader,
  decodePackets,
  isProgram,
  LINKS,
  noResults,
  takeResult,
  type Intended,
  type Link,
  type RunEvent,
  type RunEventOf,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';
import {
  takeHistogram,
  takeSeries,
  type HistogramFrames,
  type SeriesOfSource,
  type Source,
} from '@verbslab/charts/data';
import { OutputStore, type Problem } from '@verbslab/report/failure';
import { NO_COMPLETIONS, type CompletionSnapshot } from './completion-snapshot';
import { ObjectStore } from './object-store';
import { PacketStore } from './packet-store';
import { PhaseStore } from './phases';
import { TrafficStore } from './traffic';

/** What a view may depend on. A change marks the topic; the view clock notifies the views ten times per second. */
export const TOPICS = [
  'record',
  'state',
  'series',
  'histogram',
  'completions',
  'packets',
  'trace',
  'counters',
  'notes',
  'objects',
  'output',
  'work',
  'traffic',
  'results',
  'faults',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Events that the step view and the notes keep whole. */
export type TraceEvent = RunEventOf<'step' | 'verb' | 'qp' | 'exchange' | 'wr' | 'completion' | 'async'>;

/** Work requests that a page keeps: of each process at least its share of these, the latest. */
const MAX_LIVES = 40_000;

export interface CounterSnapshots {
  before: Record<string, number> | null;
  latest: Record<string, number>;
  /** All of them, in order. */
  history: { t: number; values: Readonly<Record<string, number>> }[];
}

/**
 * Everything a page knows of one run, folded from its stream. No React, no I/O, no clock: live and saved runs
 * come through the same two doors, `event` and `frame`. Completions alone are folded elsewhere, by a `CompletionLog`.
 */
export class RunModel {
  record: RunRecord;
  lastSeq = 0;
  readonly sources = new Map<number, Source>();
  readonly series = new Map<number, SeriesOfSource>();
  readonly histograms = new Map<number, HistogramFrames>();
  completions: CompletionSnapshot = NO_COMPLETIONS;
  readonly packets = new PacketStore();
  /** Of a program: the objects of its processes, and what went wrong with them. */
  readonly objects = new ObjectStore();
  readonly problems: Problem[] = [];
  /** What the lab causes on purpose. */
  readonly intended: Intended[] = [];
  readonly phases = new PhaseStore();
  /** What a person injected into the packets of endpoints, in order. */
  readonly faults: RunEventOf<'faults'>[] = [];
  /** Of the QPs of all endpoints. */
  readonly connections = new Connections();
  /** Of a program: the latest lives of work requests, and how many there were. */
  readonly lives: RunEventOf<'wr'>[] = [];
  livesSeen = 0;
  /** The commands of a program’s run that has several, in the order in which they began. */
  readonly commands: (readonly string[])[] = [];
  /** Of each of them, the streams that go to a terminal; what the record says of the first comes with it. */
  readonly terminals = new Map<number, readonly string[]>();
  /** Of a program: what it printed. */
  readonly output = new OutputStore();
  /** Of a program: what its processes posted to each peer. */
  readonly traffic = new TrafficStore();
  /** Sources that the run was started with, by name. */
  readonly files = new Map<string, string>();
  readonly endpoints = new Map<string, RunEventOf<'endpoint'>>();
  /** Of the endpoints of a lab, once they have exchanged them. */
  readonly gids = new Map<string, string>();
  /** What carries packets of RDMA, as far as is known, with the transport whose figures those are. */
  readonly #links = new Map<Link, Transport | undefined>();
  readonly trace: TraceEvent[] = [];
  readonly counters = new Map<string, CounterSnapshots>();
  readonly cpu = new Map<string, RunEventOf<'cpu'>>();
  readonly checks = new Map<string, RunEventOf<'check'>>();
  /** What the lab named and filled in. */
  readonly results = noResults();
  readonly notes: RunEventOf<'note' | 'log'>[] = [];
  readonly drops: RunEventOf<'dropped'>[] = [];
  /** Packets beyond the limit of the run that this page received or that were reported, but not yet named by a `dropped` event. */
  #beyond = 0;
  /** Frames that could not be read: shown, never hidden. */
  badFrames = 0;
  readonly version: Record<Topic, number> = Object.fromEntries(TOPICS.map((t) => [t, 0])) as Record<
    Topic,
    number
  >;

  constructor(record: RunRecord) {
    this.record = record;
  }

  /** The links that carry packets of RDMA, in the order of `LINKS`. */
  get links(): readonly Link[] {
    return this.record.result?.links ?? LINKS.filter((link) => this.#links.has(link));
  }

  /** The one link of a transport, where it is known. A program's figures are all of RDMA, whatever carried them. */
  linkOf(transport: Transport): Link | undefined {
    if (transport !== 'rdma' && transport !== 'shm') return undefined;
    const own = this.record.result?.transports[transport]?.link;
    if (own) return own;
    for (const [link, of] of this.#links) if (of === transport) return link;
    return isProgram(this.record) && this.links.length === 1 ? this.links[0] : undefined;
  }

  /** What the page keeps of a lab's trace and of what went wrong with a program. */
  get kept(): readonly (TraceEvent | Problem)[] {
    return this.trace.length === 0 ? this.problems : [...this.trace, ...this.problems];
  }

  /** One of them, by its sequence number. */
  eventAt(seq: number): TraceEvent | Problem | RunEventOf<'phase' | 'faults'> | undefined {
    return (
      this.trace.find((e) => e.seq === seq) ??
      this.problems.find((e) => e.seq === seq) ??
      this.phases.all.find(({ begin }) => begin.seq === seq)?.begin ??
      this.faults.find((e) => e.seq === seq)
    );
  }

  setRecord(record: RunRecord): void {
    if (record.state !== this.record.state) this.version.state++;
    this.record = record;
    this.version.record++;
  }

  event(e: RunEvent): void {
    if (e.seq <= this.lastSeq) return;
    this.lastSeq = e.seq;
    if (e.kind === 'qp') this.connections.add(e.endpoint ?? '', e);
    if (isProgram(this.record) && this.#ofProgram(e)) return;
    switch (e.kind) {
      // The record, which comes by itself, says state and progress; a replay must not walk through the old ones.
      case 'run.state':
      case 'progress':
        break;
      case 'endpoint':
        this.endpoints.set(e.role, e);
        this.version.record++;
        break;
      case 'link':
        this.#links.set(e.link, e.transport);
        this.version.record++;
        break;
      case 'source':
        this.sources.set(e.source, e);
        this.version.series++;
        break;
      case 'exchange':
        if (typeof e.values.gid === 'string') this.gids.set(e.from, e.values.gid);
        this.trace.push(e);
        this.version.trace++;
        break;
      case 'step':
      case 'verb':
      case 'qp':
      case 'wr':
      case 'completion':
      case 'async':
        this.trace.push(e);
        this.version.trace++;
        break;
      case 'faults':
        this.faults.push(e);
        this.version.faults++;
        break;
      case 'command':
        this.commands[e.index] = e.command;
        if (e.terminal) this.terminals.set(e.index, e.terminal);
        this.version.output++;
        this.version.record++;
        break;
      case 'object':
      case 'finding':
      case 'output':
      case 'traffic':
        break;
      case 'counter':
        this.#counter(e);
        break;
      case 'file':
        this.files.set(e.name, e.text);
        this.version.record++;
        break;
      case 'cpu':
        this.cpu.set(e.endpoint ?? '', e);
        this.version.counters++;
        break;
      case 'intended':
        this.intended.push(...e.refusals);
        this.version.notes++;
        break;
      case 'check':
        this.checks.set(e.id, e);
        this.version.notes++;
        break;
      case 'figure':
      case 'row':
      case 'point':
      case 'predicted':
      case 'outcome':
        takeResult(this.results, e);
        this.version.results++;
        break;
      // Charts take warm-up from the samples: an event is as late as who reports it.
      case 'phase':
        this.phases.add(e);
        this.version.trace++;
        break;
      case 'note':
      case 'log':
        this.notes.push(e);
        this.version.notes++;
        break;
      case 'unknown':
        this.notes.push({
          seq: e.seq,
          t: e.t,
          ...(e.endpoint === undefined ? {} : { endpoint: e.endpoint }),
          kind: 'log',
          level: 'warn',
          text: `Unknown event “${e.of}”: another version of Verbs Lab reported it.`,
        });
        this.version.notes++;
        break;
      case 'dropped':
        this.drops.push(e);
        this.#notRecorded(e);
        break;
      case 'result':
        if (!this.record.result) this.setRecord({ ...this.record, result: e.result });
        break;
    }
  }

  /** True if the event was taken. */
  #ofProgram(e: RunEvent): boolean {
    if (e.kind === 'qp' || e.kind === 'object') {
      this.objects.add(e);
      this.version.objects++;
      return true;
    }
    if (e.kind === 'output') {
      this.output.add(e);
      this.version.output++;
      return true;
    }
    if (e.kind === 'traffic') {
      this.traffic.add(e);
      this.version.traffic++;
      return true;
    }
    if (e.kind === 'wr') {
      this.livesSeen++;
      this.lives.push(e);
      if (this.lives.length > 2 * MAX_LIVES) this.#cutLives();
      this.version.work++;
      return true;
    }
    if (e.kind === 'verb' || e.kind === 'completion' || e.kind === 'async' || e.kind === 'finding') {
      this.problems.push(e);
      this.version.notes++;
      return true;
    }
    return false;
  }

  /** A busy process must not push out all that is known of the others. */
  #cutLives(): void {
    const of = ({ endpoint = '' }: RunEventOf<'wr'>): string => endpoint;
    const share = Math.floor(MAX_LIVES / new Set(this.lives.map(of)).size);
    const left = new Map<string, number>();
    const kept = this.lives.toReversed().filter((wr) => {
      const used = left.get(of(wr)) ?? 0;
      left.set(of(wr), used + 1);
      return used < share;
    });
    this.lives.length = 0;
    for (const wr of kept.reverse()) this.lives.push(wr);
  }

  /** `lastSeq` is the place in the stream up to which these completions go. */
  setCompletions(completions: CompletionSnapshot, lastSeq: number): void {
    this.completions = completions;
    this.lastSeq = Math.max(this.lastSeq, lastSeq);
    this.version.completions++;
  }

  /** This page was too slow, and the agent left packets out for it. */
  missedPackets(records: number, recorded: boolean): void {
    if (!recorded) this.#beyond += records;
    this.packets.addDropped(records);
    this.version.packets++;
  }

  /** The whole stream is here. */
  complete(): void {
    this.packets.settle();
    this.version.packets++;
  }

  /** The record lacks these; this page lacks only those that did not come live. */
  #notRecorded({ what, records }: RunEventOf<'dropped'>): void {
    if (what !== 'packets') return;
    const known = Math.min(records, this.#beyond);
    this.#beyond -= known;
    if (records > known) this.packets.addDropped(records - known);
    this.version.packets++;
  }

  frame(bytes: Uint8Array): void {
    let header;
    try {
      header = decodeHeader(bytes);
      // Detail beyond what is recorded comes live only, without a place in the stream: sequence number 0.
      if (header.seq !== 0) {
        if (header.seq <= this.lastSeq) return;
        this.lastSeq = header.seq;
      }
      switch (header.kind) {
        case 'series':
          takeSeries(this.series, bytes);
          this.version.series++;
          break;
        case 'histogram':
          if (takeHistogram(this.histograms, bytes)) this.version.histogram++;
          break;
        // They never come this far: see CompletionLog.
        case 'completions':
          break;
        case 'packets':
          this.packets.push(header.source, decodePackets(bytes), header.dropped);
          if (header.seq === 0) this.#beyond += header.count + header.dropped;
          this.version.packets++;
          break;
      }
    } catch {
      this.badFrames++;
      this.version.notes++;
    }
  }

  #counter(e: RunEventOf<'counter'>): void {
    const key = e.endpoint ?? '';
    const old = this.counters.get(key);
    const history = old?.history ?? [];
    history.push({ t: e.t, values: e.values });
    this.counters.set(key, {
      before: e.when === 'before' ? e.values : (old?.before ?? null),
      latest: e.values,
      history,
    });
    this.version.counters++;
  }
}
