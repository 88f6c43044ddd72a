import { cpus } from 'node:os';
import {
  callFailed,
  COMPLETION_FIELDS,
  encodeCompletions,
  encodePackets,
  endOfFrame,
  encodeSeries,
  FRAME_FLAGS,
  lookupWcStatus,
  PACKET_FLAGS,
  type CompletionColumns,
  type Faults,
  type PolicySample,
  type ProgramEvent,
  type QueueSample,
  type SeriesRecord,
} from '@verbslab/protocol';
import type {
  FeedCompletion,
  FeedLife,
  FeedMessage,
  FeedNote,
  FeedNoteOf,
  FeedPacket,
  FeedReport,
} from './messages.js';
import { lifeEvent, wrIdOf } from './life-event.js';
import type { FeedOutlet } from './feed-outlet.js';
import { ProcessStandstill } from './process-standstill.js';
import { ThinnedSamples } from './thinned-samples.js';

/** Events of a process that are kept, of the kinds that a program may cause without end. More are only counted. */
const KEPT_EVENTS = 20_000;
const KEPT_LIVES = 5_000;
/** Completions of a frame: the agent takes messages of up to 256 KiB. */
const FRAME_COMPLETIONS = 4096;
const FRAME_PACKET_BYTES = 192 * 1024;
/** Longest span of a frame’s records, ns: they lie within 2^32 ns of each other. */
const FRAME_SPAN_NS = 4_000_000_000;
/** All packet flags: enum uroce_packet_flags (uroce.h) has the order of PACKET_FLAGS. */
const ALL_FLAGS = Object.values(PACKET_FLAGS).reduce((all, flag) => all | flag, 0);

/** Turns the reports of one process into events and frames of the run. */
export class ProcessFeed {
  readonly #clock: bigint;
  readonly #outlet: FeedOutlet;
  /** Offset from the process’s epoch to the run’s clock, ns. */
  #offset = 0;
  #endpoint: string | null = null;
  #pid: number | null = null;
  #work = 0;
  #tap = 0;
  #last: FeedNoteOf<'tick'> | null = null;
  #events = 0;
  #unsaid = 0;
  #lives = 0;
  #sampled = false;
  #farewell = false;
  #draft: FeedNoteOf<'draft'> | null = null;
  readonly #still: ProcessStandstill;
  readonly #queues = new ThinnedSamples<QueueSample>(
    (sample, t) => this.#queueSample(sample, t),
    ({ queues }) => queues.length === 0,
  );
  readonly #policies = new ThinnedSamples<PolicySample>(
    (sample, t) => this.#tell({ kind: 'policies', ...sample }, t),
    ({ qps }) => qps.length === 0,
  );
  readonly #told: (note: FeedNote) => void;

  /**
   * `clock`: CLOCK_MONOTONIC at which the run’s clock reads 0.
   *
   * @param told called with each note after it was taken
   */
  constructor(clock: bigint, outlet: FeedOutlet, told: (note: FeedNote) => void = () => undefined) {
    this.#clock = clock;
    this.#outlet = outlet;
    this.#still = new ProcessStandstill(outlet.standstill);
    this.#told = told;
  }

  /** Name of the process in the run; null before it has identified itself. */
  get endpoint(): string | null {
    return this.#endpoint;
  }

  /** Records the faults that the device injects from now on. */
  faults(faults: Faults, t: number): void {
    this.#tell({ kind: 'faults', ...faults }, t);
  }

  /** Null before the process has identified itself. */
  get pid(): number | null {
    return this.#pid;
  }

  take(message: FeedMessage): void {
    if (message.kind === 'note') {
      this.#note(message.note);
      return this.#told(message.note);
    }
    // A process identifies itself before anything else.
    if (this.#endpoint === null) return;
    switch (message.kind) {
      case 'completions':
        return this.#completions(message.records, message.dropped);
      case 'packets':
        return this.#packets(message.records, message.dropped);
      case 'lives':
        return message.records.forEach((life) => this.#life(life));
    }
  }

  /** Ends the feed of this process. */
  end(error?: Error): void {
    if (error)
      this.#tell({
        kind: 'log',
        level: 'error',
        text: `Data from the process could not be read: ${error.message}.`,
      });
    if (this.#unsaid > 0) {
      const text = `${this.#unsaid} more objects, calls and state changes of this process are not listed.`;
      this.#tell({ kind: 'note', text });
      this.#unsaid = 0;
    }
    this.#queues.end();
    this.#policies.end();
    if (this.#endpoint !== null) this.#still.end(this.#endpoint, this.#toRun);
    // The report comes last.
    if (!error && this.#endpoint !== null && !this.#farewell) {
      const text = `Process ${this.#pid} did not report its end: it was killed, called exec, or is still running. Up to its last 100 ms are missing here: objects, counters, completions and misuse. Nor is it known what it left unpolled or unacknowledged.`;
      this.#tell({ kind: 'log', level: 'warn', text });
      const { report: { findings } = { findings: [] }, t = 0 } = this.#draft ?? {};
      for (const finding of findings) this.#finding(finding, t);
    }
  }

  readonly #toRun = (t: number): number => this.#at(t);

  #at(t: number): number {
    return Math.max(0, this.#offset + t);
  }

  #tell(event: ProgramEvent, t?: number): void {
    const told = {
      ...event,
      ...(t === undefined ? {} : { t: this.#at(t) }),
      ...(this.#endpoint === null ? {} : { endpoint: this.#endpoint }),
    };
    this.#outlet.work.event(told);
    this.#outlet.event(told);
  }

  /** Records an event of the kinds that a program may cause without end. */
  #count(event: ProgramEvent, t: number): void {
    if (this.#events++ < KEPT_EVENTS) this.#tell(event, t);
    else this.#unsaid++;
  }

  #note(note: FeedNote): void {
    if (note.type === 'hello') return this.#hello(note);
    if (this.#endpoint === null) return;
    switch (note.type) {
      case 'device':
        return this.#device(note);
      case 'made':
      case 'gone': {
        const { type: phase, kind: object, number, call } = note;
        const attrs = note.type === 'made' ? note.attrs : {};
        return this.#count({ kind: 'object', phase, object, number, call, attrs }, note.t);
      }
      case 'qp':
        return this.#count(
          { kind: 'qp', qpn: note.qpn, from: note.from, to: note.to, attrs: note.attrs },
          note.t,
        );
      case 'failed': {
        const error = callFailed('VERBS', note.call, note.errno, note.cure, note.reason).info;
        const injected = note.injected ? { injected: true as const } : {};
        return this.#count(
          { kind: 'verb', call: note.call, args: {}, error, durationNs: 0, ...injected },
          note.t,
        );
      }
      case 'wc':
        return this.#failedCompletion(note);
      case 'async': {
        const qpn = note.qpn === undefined ? {} : { qpn: note.qpn };
        return this.#count({ kind: 'async', event: note.event, ...qpn }, note.t);
      }
      case 'counters':
        return this.#tell({ kind: 'counter', when: note.when, values: note.values }, note.t);
      case 'traffic': {
        const { peers, otherMessages, otherBytes } = note;
        return this.#tell({ kind: 'traffic', peers, otherMessages, otherBytes }, note.t);
      }
      case 'standstill':
        return this.#still.take(this.#endpoint, note, this.#toRun);
      case 'queues':
        return this.#queues.take(note.t, { queues: note.queues, others: note.others });
      case 'policies':
        return this.#policies.take(note.t, { qps: note.qps, others: note.others });
      case 'tick':
        return this.#tick(note);
      case 'control':
        return;
      case 'unsaid':
        this.#unsaid += note.count;
        return;
      case 'report':
        this.#farewell = true;
        this.#still.reported(note.report);
        if (note.report.endedBy != null)
          this.#tell({ kind: 'log', level: 'info', text: this.#endedBy(note.report.endedBy) }, note.t);
        return note.report.findings.forEach((finding) => this.#finding(finding, note.t));
      case 'draft':
        this.#draft = note;
    }
  }

  #queueSample({ queues, others }: QueueSample, t: number): void {
    const timed = queues.map((queue) =>
      queue.since === undefined ? queue : { ...queue, since: this.#at(queue.since) },
    );
    this.#tell({ kind: 'queues', queues: timed, others }, t);
  }

  #endedBy(signal: string): string {
    return `${signal} ended process ${this.#pid}. Objects that it had not destroyed were alive then, and are no leaks.`;
  }

  #hello(note: FeedNoteOf<'hello'>): void {
    this.#offset = Number(BigInt(note.epoch) - this.#clock);
    this.#endpoint = `pid ${note.pid}`;
    this.#pid = note.pid;
    const source = (what: 'loop' | 'tap'): number => {
      const number = this.#outlet.newSource();
      const label = `${note.program} (${note.pid})`;
      this.#tell({ kind: 'source', source: number, transport: 'rdma', role: 'process', what, label }, note.t);
      return number;
    };
    this.#work = source('loop');
    this.#tap = source('tap');
  }

  #device(note: FeedNoteOf<'device'>): void {
    const role = this.#endpoint!;
    this.#tell(
      {
        kind: 'endpoint',
        role,
        pid: this.#pid!,
        device: note.name,
        providerClass: 'user-space',
        cpus: cpus().length,
        gids: note.gids,
      },
      note.t,
    );
  }

  #failedCompletion(note: FeedNoteOf<'wc'>): void {
    const { qpn, status, vendorErr } = note;
    const statusName = lookupWcStatus(status).name;
    const wrId = wrIdOf(BigInt(note.wrId));
    this.#count(
      { kind: 'completion', wc: { wrId, status, statusName, opcode: '', vendorErr, byteLen: 0, qpn } },
      note.t,
    );
  }

  #finding(
    { id, call, object, count, detail, where, cure, request, counter }: FeedReport['findings'][number],
    t: number,
  ): void {
    this.#outlet.finding(
      {
        kind: 'finding',
        id,
        call,
        object: object.name,
        count,
        detail,
        cure,
        ...(request === undefined ? {} : { request }),
        ...(counter === undefined ? {} : { counter }),
        t: this.#at(t),
        ...(this.#endpoint === null ? {} : { endpoint: this.#endpoint }),
      },
      where,
    );
  }

  /** Records the work since the last tick as a record of a time series. */
  #tick(note: FeedNoteOf<'tick'>): void {
    this.#queues.tick(note.t);
    this.#policies.tick(note.t);
    const last = this.#last;
    this.#last = note;
    const { messages: completed, bytes, written = 0, read = 0, sent = 0, received = 0 } = note;
    const at = (t: number | undefined): number | null => (t === undefined ? null : this.#at(t));
    this.#outlet.work.process(this.#endpoint!, {
      messages: completed,
      bytes,
      moved: { written, read, sent, received },
      firstPosted: at(note.firstPosted),
      firstPolled: at(note.firstPolled),
      lastPolled: at(note.lastPolled),
      bytesAtFirst: note.bytesAtFirst ?? 0,
      oneAtATime: note.oneAtATime ?? null,
    });
    if (last === null || note.t <= last.t) return;
    const nicNs = note.nicUserNs - last.nicUserNs;
    const kernelNs = note.systemNs - last.systemNs;
    const messages = note.messages - last.messages;
    const record: SeriesRecord = {
      t: this.#at(note.t),
      intervalNs: note.t - last.t,
      bytes: note.bytes - last.bytes,
      messages,
      // The two times come from different clocks, so their difference may be negative in a short interval.
      appNs: Math.max(0, note.userNs - last.userNs - nicNs),
      nicNs,
      kernelNs,
      engineUserNs: nicNs,
      engineKernelNs: note.nicKernelNs - last.nicKernelNs,
      softirqNs: NaN,
      voluntarySwitches: note.voluntary - last.voluntary,
      involuntarySwitches: note.involuntary - last.involuntary,
      latencyCount: 0,
      latencyMeanNs: NaN,
      latencyP50Ns: NaN,
      latencyP99Ns: NaN,
      latencyP999Ns: NaN,
      latencyMaxNs: NaN,
    };
    this.#outlet.frame(encodeSeries({ source: this.#work, t: this.#at(last.t) }, [record]));
  }

  #completions(records: readonly FeedCompletion[], dropped: number): void {
    this.#sampled ||= dropped > 0;
    this.#outlet.work.completions(records, dropped);
    const flags = this.#sampled ? FRAME_FLAGS.sampled : 0;
    let lost = dropped;
    for (let from = 0; from < records.length || lost > 0; from += FRAME_COMPLETIONS) {
      const part = records.slice(from, from + FRAME_COMPLETIONS);
      const base = part[0]?.t ?? this.#last?.t ?? 0;
      const columns = {} as CompletionColumns;
      for (const field of COMPLETION_FIELDS) columns[field] = new Uint32Array(part.length);
      part.forEach((record, index) => {
        // Threads may report completions in another order than they polled them.
        columns.dt[index] = Math.min(Math.max(0, record.t - base), FRAME_SPAN_NS);
        for (const field of COMPLETION_FIELDS) {
          if (field !== 'dt') columns[field][index] = record[field];
        }
      });
      this.#outlet.frame(
        encodeCompletions({ source: this.#work, t: this.#at(base), flags, dropped: lost }, columns),
      );
      lost = 0;
    }
  }

  #packets(records: readonly FeedPacket[], dropped: number): void {
    let lost = dropped;
    for (let from = 0; from < records.length || lost > 0;) {
      const base = records[from]?.t ?? this.#last?.t ?? 0;
      const to = endOfFrame(records, from, { bytes: FRAME_PACKET_BYTES });
      const part = records.slice(from, to).map(({ t, seq, origLen, sent, flags, bytes: data }) => ({
        t: this.#at(t),
        tapSeq: seq,
        direction: sent ? ('sent' as const) : ('received' as const),
        flags: flags & ALL_FLAGS,
        origLen,
        bytes: data,
      }));
      this.#outlet.frame(encodePackets({ source: this.#tap, t: this.#at(base), dropped: lost }, part));
      lost = 0;
      from = to;
    }
  }

  #life(life: FeedLife): void {
    if (this.#lives++ >= KEPT_LIVES) return;
    this.#tell(
      lifeEvent(life, (t) => this.#at(t)),
      Math.max(life.posted, life.cqe, life.polled),
    );
  }
}
