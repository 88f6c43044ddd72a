import {
  decodeCompletions,
  decodeHeader,
  LatencyHistogram,
  MAX_CONNECTIONS,
  type EventBody,
  type ProgramWork,
  type QpPair,
} from '@verbslab/protocol';
import { QpPairs } from './qp-pairs.js';

const SHOWN_PEERS = 8;
const SUCCESS = 0;

/** Work of a command, without the bytes that other commands count already. */
interface Counted {
  work: ProgramWork;
  bytes: number;
  received: number;
  timedBytes: number;
}

/** Sums up what several commands of one run did with RDMA. */
export class JointWork {
  readonly #pairs = new QpPairs();
  /** The command of each process, by endpoint. */
  readonly #commands = new Map<string, number>();
  readonly #latency = new LatencyHistogram();
  #sampled = false;

  /** Returns false if events of this kind change nothing, so that they need not be parsed. */
  static takes(kind: string): boolean {
    return kind === 'qp' || kind === 'traffic';
  }

  event(command: number, event: EventBody & { endpoint?: string | undefined }): void {
    const { endpoint } = event;
    if (endpoint === undefined || (event.kind !== 'qp' && event.kind !== 'traffic')) return;
    this.#commands.set(endpoint, command);
    this.#pairs.event(endpoint, event);
  }

  /** Takes a frame. Throws FrameError. */
  frame(frame: Uint8Array): void {
    const { kind, dropped } = decodeHeader(frame);
    if (kind !== 'completions') return;
    this.#sampled ||= dropped > 0;
    const { latency, meta } = decodeCompletions(frame);
    latency.forEach((ns, index) => {
      if (ns > 0 && ((meta[index]! >>> 8) & 0xff) === SUCCESS) this.#latency.record(ns);
    });
  }

  /** Notes that frames of completions are missing in the stream. */
  missed(): void {
    this.#sampled = true;
  }

  #inside(command: number): boolean {
    const own = this.#pairs.processes.filter((process) => this.#commands.get(process) === command);
    return own.length > 0 && own.every((process) => this.#pairs.inside(process));
  }

  #counted(work: ProgramWork, command: number): Counted {
    const received = this.#inside(command) ? (work.moved?.received ?? 0) : 0;
    const { timedBytes = work.bytes } = work;
    // Bytes from before the timed span were received ones.
    const before = work.bytes - timedBytes;
    return {
      work,
      received,
      bytes: work.bytes - received,
      timedBytes: timedBytes - Math.max(0, received - before),
    };
  }

  /** Sums up the works of all commands, in their order. Undefined if one is unknown. */
  result(works: readonly (ProgramWork | undefined)[]): ProgramWork | undefined {
    if (works.includes(undefined)) return undefined;
    const all = (works as ProgramWork[]).map((work, command) => this.#counted(work, command));
    const sum = (of: (one: Counted) => number): number => all.reduce((n, one) => n + of(one), 0);
    const sumOf = (name: 'posted' | 'packetsReceived'): number | undefined =>
      all.some(({ work }) => work[name] === undefined) ? undefined : sum(({ work }) => work[name]!);
    const posted = sumOf('posted');
    const packetsReceived = sumOf('packetsReceived');
    const peers = new Set(all.flatMap(({ work }) => work.peers));
    const senders = all.filter(({ work: { moved } }) => moved && moved.written + moved.read + moved.sent > 0);
    return {
      processes: sum(({ work }) => work.processes),
      device: all.find(({ work }) => work.device !== null)?.work.device ?? null,
      messages: sum(({ work }) => work.messages),
      bytes: sum(({ bytes }) => bytes),
      ...(posted === undefined ? {} : { posted }),
      ...(packetsReceived === undefined ? {} : { packetsReceived }),
      ...movedBy(all),
      ...timesOf(all),
      // Commands that each wait for their own request may still have two requests in flight.
      oneAtATime: senders.length === 1 && senders[0]!.work.oneAtATime === true,
      latencyUs: this.#latency.us(),
      sampled: this.#sampled || all.some(({ work }) => work.sampled),
      peers: [...peers].slice(0, SHOWN_PEERS),
      peerCount: Math.max(peers.size, ...all.map(({ work }) => work.peerCount)),
      connections: all
        .flatMap(({ work }): readonly QpPair[] => work.connections ?? [])
        .slice(0, MAX_CONNECTIONS),
    };
  }
}

function movedBy(all: readonly Counted[]): Pick<ProgramWork, 'moved'> {
  if (all.some(({ work }) => work.moved === undefined)) return {};
  const moved = { written: 0, read: 0, sent: 0, received: 0 };
  for (const { work, received } of all) {
    moved.written += work.moved!.written;
    moved.read += work.moved!.read;
    moved.sent += work.moved!.sent;
    moved.received += work.moved!.received - received;
  }
  return { moved };
}

/**
 * The span from the start of the first to the end of the last command that moved something itself; null if a start is
 * unknown.
 */
function timesOf(
  all: readonly Counted[],
): Pick<ProgramWork, 'seconds' | 'timedBytes' | 'timedFrom' | 'start'> {
  const moving = all.filter(({ bytes }) => bytes > 0);
  const timed = (moving.length > 0 ? moving : all).filter(({ work }) => work.seconds !== null);
  const unknown = timed.some(({ work }) => work.start === undefined);
  if (timed.length === 0 || unknown) return { seconds: null };
  const spans = timed.map(({ work: { start, seconds, timedFrom } }) => ({
    start: start!,
    end: start! + seconds! * 1e9,
    timedFrom,
  }));
  const first = spans.reduce((a, b) => (b.start < a.start ? b : a));
  return {
    seconds: (Math.max(...spans.map(({ end }) => end)) - first.start) / 1e9,
    timedBytes: timed.reduce((n, one) => n + one.timedBytes, 0),
    ...(first.timedFrom === undefined ? {} : { timedFrom: first.timedFrom }),
    start: first.start,
  };
}
