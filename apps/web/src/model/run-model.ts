import type { LatencySnapshot } from '@verbslab/charts/data';
import {
  Connections,
  decodeHeader,
  decodePackets,
  isProgram,
  LINKS,
  noResults,
  takeResult,
  takeSimulation,
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
import { PolicyHistory } from '@verbslab/report/policies';
import { QueueHistory } from '@verbslab/report/queues';
import { StillFacts } from '@verbslab/report/standstill';
import { NO_COMPLETIONS, type CompletionSnapshot } from './completion-snapshot';
import { withSnapshot, type CounterSnapshots } from './counter-snapshots';
import { keptLives } from './kept-lives';
import { ObjectStore } from './object-store';
import { PacketStore } from './packet-store';
import { PhaseStore } from './phases';
import { TrafficStore } from './traffic';
import { unknownNote } from './unknown-note';

/**
 * Topics that views depend on. A change marks its topic, and the view clock notifies the views ten times per second.
 */
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
  'standstill',
  'queues',
  'policies',
  'results',
  'simulations',
  'faults',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Events that the step view and the notes keep in full. */
export type TraceEvent = RunEventOf<'step' | 'verb' | 'qp' | 'exchange' | 'wr' | 'completion' | 'async'>;

/** Work requests that a page keeps: at least an equal share for each process, the latest ones. */
const MAX_LIVES = 40_000;

/**
 * State of a run on a page, folded from its stream. No React, no I/O, no clock: live and saved runs both enter through
 * `event` and `frame`. Only completions are folded elsewhere, by a `CompletionLog`.
 */
export class RunModel {
  record: RunRecord;
  lastSeq = 0;
  readonly sources = new Map<number, Source>();
  readonly series = new Map<number, SeriesOfSource>();
  readonly histograms = new Map<number, HistogramFrames>();
  completions: CompletionSnapshot = NO_COMPLETIONS;
  /** Latencies of a program's requests, once its first completions have come. */
  latencies: LatencySnapshot | null = null;
  readonly packets = new PacketStore();
  /** Objects of a program's processes, and their problems. */
  readonly objects = new ObjectStore();
  readonly problems: Problem[] = [];
  /** Errors that the lab causes on purpose. */
  readonly intended: Intended[] = [];
  readonly phases = new PhaseStore();
  /** Faults that a person injected into the packets of endpoints, in order. */
  readonly faults: RunEventOf<'faults'>[] = [];
  /** Connections of the QPs of all endpoints. */
  readonly connections = new Connections();
  /** Latest work requests of a program, and their total number. */
  readonly lives: RunEventOf<'wr'>[] = [];
  livesSeen = 0;
  /** Commands of a program's run, in the order in which they began; empty for a single command. */
  readonly commands: (readonly string[])[] = [];
  /** Streams of each command that go to a terminal. Those of the first command may only be in the run's record. */
  readonly terminals = new Map<number, readonly string[]>();
  /** Output of a program. */
  readonly output = new OutputStore();
  /** Requests that a program's processes posted to each peer. */
  readonly traffic = new TrafficStore();
  /** What stands still in a program's processes. */
  readonly stills = new StillFacts();
  /** Occupancy of the queues of all endpoints, as sampled. */
  readonly queues = new QueueHistory();
  /** Simulations of fabrics, in the order in which they ended; the last one may be going on. */
  readonly simulations: RunEventOf<'simulation'>[] = [];
  /** Queue pairs with another policy than the default, as sampled. */
  readonly policies = new PolicyHistory();
  /** Source files that the run was started with, by name. */
  readonly files = new Map<string, string>();
  readonly endpoints = new Map<string, RunEventOf<'endpoint'>>();
  /** GIDs of a lab's endpoints, after they have exchanged them. */
  readonly gids = new Map<string, string>();
  /** Known links of RDMA packets, with the transport that their figures belong to. */
  readonly #links = new Map<Link, Transport | undefined>();
  readonly trace: TraceEvent[] = [];
  readonly counters = new Map<string, CounterSnapshots>();
  readonly cpu = new Map<string, RunEventOf<'cpu'>>();
  readonly checks = new Map<string, RunEventOf<'check'>>();
  /** Predictions and values that the lab has filled in. */
  readonly results = noResults();
  readonly notes: RunEventOf<'note' | 'log'>[] = [];
  readonly drops: RunEventOf<'dropped'>[] = [];
  /**
   * Packets beyond the limit of the run that this page received or that were reported, and that no `dropped` event has
   * named yet.
   */
  #beyond = 0;
  /** Frames that could not be read; the page shows their number. */
  badFrames = 0;
  readonly version = Object.fromEntries(TOPICS.map((t) => [t, 0])) as Record<Topic, number>;

  constructor(record: RunRecord) {
    this.record = record;
  }

  /** Links that carry RDMA packets, in the order of `LINKS`. */
  get links(): readonly Link[] {
    return this.record.result?.links ?? LINKS.filter((link) => this.#links.has(link));
  }

  /** The link of a transport, if it is known. The figures of a program cover all of RDMA, over any link. */
  linkOf(transport: Transport): Link | undefined {
    if (transport !== 'rdma' && transport !== 'shm') return undefined;
    const own = this.record.result?.transports[transport]?.link;
    if (own) return own;
    for (const [link, of] of this.#links) if (of === transport) return link;
    return isProgram(this.record) && this.links.length === 1 ? this.links[0] : undefined;
  }

  /** Trace of a lab and problems of a program, as far as the page keeps them. */
  get kept(): readonly (TraceEvent | Problem)[] {
    return this.trace.length === 0 ? this.problems : [...this.trace, ...this.problems];
  }

  /** The kept event with this sequence number. */
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
      // State and progress come with the record; a replay must not repeat the old ones.
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
      case 'standstill':
        break;
      case 'queues':
        this.queues.event(e);
        this.version.queues++;
        break;
      case 'simulation':
        takeSimulation(this.simulations, e);
        this.version.simulations++;
        break;
      case 'policies':
        this.#policies(e);
        break;
      case 'counter':
        this.counters.set(e.endpoint ?? '', withSnapshot(this.counters.get(e.endpoint ?? ''), e));
        this.version.counters++;
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
      // Charts get the warm-up from the samples, because an event may be late.
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
        this.notes.push(unknownNote(e));
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

  /** The head of the page and its list of panels change with the name of a queue pair's policy, not with each sample. */
  #policies(e: RunEventOf<'policies'>): void {
    const { changes } = this.policies;
    this.policies.event(e);
    this.version.policies++;
    if (this.policies.changes === changes) return;
    this.version.state++;
    this.version.record++;
  }

  /** Takes in an event of a program. True if it was one. */
  #ofProgram(e: RunEvent): boolean {
    if (this.stills.event(e)) this.version.standstill++;
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
      if (this.lives.length > 2 * MAX_LIVES)
        this.lives.splice(0, Infinity, ...keptLives(this.lives, MAX_LIVES));
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

  /** Sets the completions. `lastSeq` is the sequence number of the last stream item in them. */
  setCompletions(completions: CompletionSnapshot, lastSeq: number): void {
    this.completions = completions;
    this.lastSeq = Math.max(this.lastSeq, lastSeq);
    this.version.completions++;
  }

  setLatencies(latencies: LatencySnapshot): void {
    this.latencies = latencies;
    this.version.histogram++;
  }

  /** Counts packets that the agent left out because this page was too slow. */
  missedPackets(records: number, recorded: boolean): void {
    if (!recorded) this.#beyond += records;
    this.packets.addDropped(records);
    this.version.packets++;
  }

  /** Settles the packets: the whole stream has arrived. */
  complete(): void {
    this.packets.settle();
    this.version.packets++;
  }

  /** Counts packets that are missing in the run's record. This page only lacks those that were not sent live either. */
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
      // Records beyond the limit of the run are only sent live, and have no place in the stream: sequence number 0.
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
        // Completions are not passed here: see CompletionLog.
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
}
