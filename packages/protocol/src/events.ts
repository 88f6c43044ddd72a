import { z } from 'zod';
import { zErrorInfo } from './errors.js';
import { MAX_OUTPUT_TEXT } from './program.js';
import { zProviderClass } from './device.js';
import { zGuess, zIntended } from './lab-form.js';
import { zFaults } from './faults.js';
import { zFigureValue, zPoint, zRow } from './lab-results.js';
import { zCheck, zLink, zNote, zOutputStream, zRunResult, zRunState, zTransport } from './runs.js';
import { zKnown } from './skew.js';
import { zCount, zSeenQpState, zU24, zU32, zWc } from './verbs.js';
import { MAX_SOURCE_BYTES } from './workbench.js';

/**
 * The event schema. A run is one stream; every item has the next sequence number, from 1 without a gap, and a
 * time `t` in nanoseconds since the run was created. Items are JSON events (this file) or, for what comes in
 * masses, binary frames (frames.ts): time series, histograms, completions of measuring loops, packets. Both
 * share one numbering, so a stream can be replayed from any point.
 *
 * `endpoint` is the name of the endpoint that the event came from (its role in the lab, e.g. `client`);
 * absent on events of the run itself.
 */

/** Where in a program a call is. */
export const zCallPlace = z.object({
  function: z.string().max(256).nullable(),
  /** Path of the program or library, and the offset after where it is loaded. */
  object: z.string().max(4096),
  offset: z.string().regex(/^0x[0-9a-f]{1,16}$/),
  /** Source file and line; null when they are not known. */
  file: z.string().max(1024).nullable(),
  line: z.int().min(1).nullable(),
  /** Why there is no line: no debug information, no tool that reads it, or the file could not be read. */
  missing: z.enum(['debug-info', 'tool', 'file']).optional(),
});
export type CallPlace = z.infer<typeof zCallPlace>;

/** The work request that a finding is about. Both sides name it by the same two QPs. */
export const zFindingRequest = z.object({
  /** Of the QP that it was posted to. */
  qpn: zU24,
  /** Of the other one. */
  peerQpn: zU24.optional(),
  opcode: z.string().max(64),
  length: zU32,
  /** Known where it was posted. 64 bits. */
  wrId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** Of its completion, e.g. `REM_ACCESS_ERR`. */
  status: z.string().max(64).optional(),
  remoteAddr: z
    .string()
    .regex(/^0x[0-9a-f]{1,16}$/)
    .optional(),
  rkey: zU32.optional(),
  /** Where it was posted, its first; where it was refused, that of the NAK. */
  psn: zU24.optional(),
});
export type FindingRequest = z.infer<typeof zFindingRequest>;

const zArgs = z.record(z.string(), z.json());

/** Bodies by kind: what a lab or an endpoint emits; the agent adds `seq` (and `t` where it is missing). */
export const EVENT_BODIES = {
  'run.state': z.object({
    kind: z.literal('run.state'),
    state: zRunState,
    /** Why, for failed, cancelled, interrupted. */
    error: zErrorInfo.optional(),
  }),
  /** An endpoint was opened. */
  endpoint: z.object({
    kind: z.literal('endpoint'),
    role: z.string(),
    pid: zCount.optional(),
    device: z.string(),
    providerClass: zProviderClass,
    /** The paired agent that it is on; absent on the agent that owns the run. */
    host: z.string().optional(),
    /** CPUs of that host. Absent in runs of older agents. */
    cpus: zCount.optional(),
    /** How sure its times are on the run's clock, ns: the clock offset of the two hosts is known to ± this. */
    clockErrorNs: z.number().min(0).optional(),
    /** In a virtual machine of the run's host: tc-netem(8) loses and delays what its link sends, when asked to. */
    netem: z.boolean().optional(),
    /** Addresses of a program's device, as text. */
    gids: z.array(z.string().max(64)).max(64).optional(),
  }),
  /** A link carries packets of RDMA. In a program: the first that its counters show. */
  link: z.object({ kind: z.literal('link'), link: zLink, transport: zTransport.optional() }),
  /** Announces where binary frames come from, before the first of them. */
  source: z.object({
    kind: z.literal('source'),
    source: zU32,
    transport: zTransport,
    /** `process`: all that one process of a program does. */
    role: z.enum(['client', 'server', 'process']),
    /** What the records are about: a measuring loop (or a program's work), or the packet tap of an endpoint. */
    what: z.enum(['loop', 'tap']),
    label: z.string(),
    /** From 1, of a loop that is one of several rounds. */
    round: z.int().min(1).optional(),
  }),
  step: z.object({
    kind: z.literal('step'),
    phase: z.enum(['begin', 'end']),
    id: z.string(),
    /** From 0, in the order of the lab's description. */
    index: zCount,
    ok: z.boolean().optional(),
  }),
  /** One verbs call (or rdma_cm, or socket call) with arguments and result, pointers left out. */
  verb: z.object({
    kind: z.literal('verb'),
    /** As in C: `ibv_create_qp`. */
    call: z.string(),
    args: zArgs,
    result: z.json().optional(),
    error: zErrorInfo.optional(),
    /** Of the whole call as its program sees it, the binding included. 0: not measured. */
    durationNs: z.number().min(0),
  }),
  qp: z.object({
    kind: z.literal('qp'),
    qpn: zU24,
    from: zSeenQpState,
    to: zSeenQpState,
    /** Attributes that the transition set, by their ibv_qp_attr names. */
    attrs: zArgs,
  }),
  /** What one side sent to the other out of band, so that they can connect. */
  exchange: z.object({
    kind: z.literal('exchange'),
    from: z.string(),
    to: z.string(),
    values: zArgs,
    /** The part that programs send as bytes (hex), e.g. {addr u64, rkey u32} as CM private data. */
    record: z
      .string()
      .regex(/^([0-9a-f]{2})*$/)
      .optional(),
  }),
  /** Life of one work request: times as `t`, null for what did not happen. */
  wr: z.object({
    kind: z.literal('wr'),
    qpn: zU24,
    wrId: zCount,
    opcode: z.string(),
    byteLen: zU32,
    status: zCount,
    posted: z.number(),
    firstTx: z.number().nullable(),
    lastTx: z.number().nullable(),
    acked: z.number().nullable(),
    cqe: z.number().nullable(),
    polled: z.number().nullable(),
  }),
  completion: z.object({ kind: z.literal('completion'), wc: zWc }),
  /** A verbs object of a program came or went. */
  object: z.object({
    kind: z.literal('object'),
    phase: z.enum(['made', 'gone']),
    /** As the misuse report names kinds: `MR`, `QP`, `completion channel`. */
    object: z.string(),
    /** QPN, key of a region or window, handle of a PD; of other kinds the n-th of its process, from 1. */
    number: zU32,
    /** The call that made or destroyed it. */
    call: z.string(),
    attrs: zArgs,
  }),
  /** A misuse of verbs, found in a program (docs/report.md). */
  finding: z.object({
    kind: z.literal('finding'),
    id: z.string(),
    call: z.string(),
    /** The object as the report names it, e.g. `QP 0x000011`. */
    object: z.string(),
    count: zCount,
    detail: z.string(),
    /** Where in the program, in words: `main, bad.c:25`. Null when it is not known. */
    where: z.string().nullable(),
    /** The same for programs. Absent in runs of older agents. */
    place: zCallPlace.nullable().optional(),
    cure: z.string(),
    request: zFindingRequest.optional(),
    /** The counter of the device that counts it. Absent where none does. */
    counter: z.string().optional(),
  }),
  /** A command of a run that has several began or ended. Absent where there is one. */
  command: z.object({
    kind: z.literal('command'),
    phase: z.enum(['begin', 'end']),
    /** From 0, in the order in which they began. */
    index: zCount,
    command: z.array(z.string()),
    /** Streams that go to a terminal and are not recorded; absent where there are none. */
    terminal: z.array(z.enum(['stdout', 'stderr'])).optional(),
    exitCode: z.int().min(0).max(255).nullable().optional(),
    signal: z.string().max(32).nullable().optional(),
  }),
  /**
   * What a program printed, in the order of its stream. Of each stream the first and the last `OUTPUT_KEPT_BYTES` are
   * kept.
   */
  output: z.object({
    kind: z.literal('output'),
    /** `both`: stdout and stderr are the same file, so they share one pipe and keep their order. */
    stream: zOutputStream,
    /** UTF-8, decoded. U+FFFD stands for bytes that are not UTF-8. */
    text: z.string().max(MAX_OUTPUT_TEXT),
    /** Bytes that `text` stands for. */
    bytes: zCount,
    /** Bytes that were left out just before `text`. */
    leftOut: zCount.optional(),
    /** Of a run with several commands: which of them printed it. Absent for the first. */
    command: zCount.optional(),
  }),
  /** Asynchronous event of the device, e.g. QP_ACCESS_ERR, CQ_ERR, COMM_EST. `cq`, `srq`: handles of an endpoint. */
  async: z.object({
    kind: z.literal('async'),
    event: z.string(),
    qpn: zU24.optional(),
    cq: zU32.optional(),
    srq: zU32.optional(),
  }),
  /** A person sets what the endpoint's device does to the packets that it sends from now on. Without any of it: nothing. */
  faults: z.object({ kind: z.literal('faults'), ...zFaults.shape }),
  /**
   * Requests that a process of a program posted to each peer queue pair, and their payload, since the process began.
   * Only peers with news; the latest sums of a peer are its sums.
   */
  traffic: z.object({
    kind: z.literal('traffic'),
    peers: z
      .array(
        z.object({
          /** Of the QP that posts. */
          qpn: zU24,
          /** Address and QPN of the peer. */
          gid: z.string().max(64),
          peerQpn: zU24,
          messages: zCount,
          bytes: zCount,
        }),
      )
      .max(256),
    /** To peers beyond the first 4,096, in all. */
    otherMessages: zCount,
    otherBytes: zCount,
  }),
  /** Device counters. They never reset: the difference between two snapshots is what happened. */
  counter: z.object({
    kind: z.literal('counter'),
    when: zKnown(['before', 'after', 'sample'], 'sample'),
    values: z.record(z.string(), z.number()),
  }),
  /** CPU of the endpoint since it began, nanoseconds. `nicUserNs`/`nicKernelNs` are null if no device reports them. */
  cpu: z.object({
    kind: z.literal('cpu'),
    processUserNs: z.number(),
    processSystemNs: z.number(),
    nicUserNs: z.number().nullable(),
    nicKernelNs: z.number().nullable(),
  }),
  /** A file of a program that the run was started with: the source of a task of the workbench. */
  file: z.object({
    kind: z.literal('file'),
    name: z.string().max(64),
    text: z.string().max(MAX_SOURCE_BYTES),
  }),
  check: z.object({ kind: z.literal('check'), ...zCheck.shape }),
  /** A figure, a row of a table and a point of a curve, under the names that the lab declared. A later figure replaces an earlier one. */
  figure: z.object({ kind: z.literal('figure'), name: z.string().max(64), ...zFigureValue.shape }),
  row: z.object({ kind: z.literal('row'), table: z.string().max(64), cells: zRow }),
  point: z.object({ kind: z.literal('point'), curve: z.string().max(64), ...zPoint.shape }),
  /** What the lab causes on purpose: none of it counts as a problem. Comes before the first endpoint. */
  intended: z.object({ kind: z.literal('intended'), refusals: z.array(zIntended).max(64) }),
  /** What a person predicted before the run. */
  predicted: z.object({ kind: z.literal('predicted'), values: z.record(z.string().max(64), zGuess) }),
  /** What the run showed about a prediction. */
  outcome: z.object({ kind: z.literal('outcome'), prediction: z.string().max(64), value: zGuess }),
  progress: z.object({
    kind: z.literal('progress'),
    fraction: z.number().min(0).max(1),
    text: z.string(),
    secondsLeft: z.number().nullable(),
  }),
  /** A part of the run that charts shade: start-up that the figures leave out, a measured stretch. */
  phase: z.object({
    kind: z.literal('phase'),
    phase: z.enum(['begin', 'end']),
    id: z.string(),
    transport: zTransport.optional(),
    omit: z.boolean(),
    text: z.string(),
  }),
  /** `caveat`: it limits what the figures say, and stands at the headline. */
  note: z.object({ kind: z.literal('note'), ...zNote.shape }),
  log: z.object({
    kind: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    text: z.string(),
  }),
  /** What was not recorded: the limit of a run was reached. Frames of it are still sent to clients that follow the run live. */
  dropped: z.object({
    kind: z.literal('dropped'),
    what: z.enum(['completions', 'packets', 'series', 'histogram', 'events']),
    records: zCount,
    reason: z.enum(['limit', 'slow']),
  }),
  result: z.object({ kind: z.literal('result'), result: zRunResult }),
  /** An event of a kind that only another version of Verbs Lab knows, with all that came in it. */
  unknown: z.object({ kind: z.literal('unknown'), of: z.string(), values: zArgs }),
} as const;

export type EventKind = keyof typeof EVENT_BODIES;

export const zEventBody = z.discriminatedUnion('kind', [
  EVENT_BODIES['run.state'],
  EVENT_BODIES.endpoint,
  EVENT_BODIES.link,
  EVENT_BODIES.source,
  EVENT_BODIES.step,
  EVENT_BODIES.verb,
  EVENT_BODIES.qp,
  EVENT_BODIES.exchange,
  EVENT_BODIES.wr,
  EVENT_BODIES.completion,
  EVENT_BODIES.object,
  EVENT_BODIES.finding,
  EVENT_BODIES.command,
  EVENT_BODIES.output,
  EVENT_BODIES.async,
  EVENT_BODIES.faults,
  EVENT_BODIES.traffic,
  EVENT_BODIES.counter,
  EVENT_BODIES.cpu,
  EVENT_BODIES.file,
  EVENT_BODIES.check,
  EVENT_BODIES.figure,
  EVENT_BODIES.row,
  EVENT_BODIES.point,
  EVENT_BODIES.intended,
  EVENT_BODIES.predicted,
  EVENT_BODIES.outcome,
  EVENT_BODIES.progress,
  EVENT_BODIES.phase,
  EVENT_BODIES.note,
  EVENT_BODIES.log,
  EVENT_BODIES.dropped,
  EVENT_BODIES.result,
  EVENT_BODIES.unknown,
]);
export type EventBody = z.infer<typeof zEventBody>;

const zEnvelope = z.object({ seq: zU32, t: z.number().min(0), endpoint: z.string().optional() });

/** Longest name of a kind that is believed. */
export const MAX_KIND = 64;

/** Turns an event of a kind that this version does not know into an `unknown` one. */
export function tolerate(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const { kind, seq, t, endpoint, ...values } = raw as Record<string, unknown>;
  if (typeof kind !== 'string' || kind.length > MAX_KIND || Object.hasOwn(EVENT_BODIES, kind)) return raw;
  return {
    kind: 'unknown',
    of: kind,
    values,
    ...(seq === undefined ? {} : { seq }),
    ...(t === undefined ? {} : { t }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

export const zRunEvent = z.preprocess(tolerate, z.intersection(zEnvelope, zEventBody));
export type RunEvent = z.infer<typeof zEnvelope> & EventBody;
/** The event of one kind. */
export type RunEventOf<K extends EventKind> = Extract<RunEvent, { kind: K }>;

/** What emitters hand over: a body with, where known, its time and endpoint. */
export type EmittedEvent = EventBody & { t?: number; endpoint?: string };
