import { z } from 'zod';
import { zCallPlace } from './call-place.js';
import { zErrorInfo } from './error-schema.js';
import { MAX_OUTPUT_TEXT } from './program.js';
import { zProviderClass } from './device.js';
import { zGuess, zIntended } from './lab-form.js';
import { zFaults } from './faults.js';
import { zFigureValue, zPoint, zRow } from './lab-results.js';
import { zCheck, zLink, zNote, zOutputStream, zRunResult, zRunState, zTransport } from './runs.js';
import { zPolicies } from './policies.js';
import { zQueues } from './queues.js';
import { zSimulation } from './simulation.js';
import { zKnown } from './skew.js';
import { zStandstill } from './standstill.js';
import { zCount, zSeenQpState, zU24, zU32, zWc } from './verbs.js';
import { MAX_SOURCE_BYTES } from './workbench.js';

/**
 * The event schema. A run is a single stream. Every item has the next sequence number, from 1 without a gap, and a time
 * `t` in nanoseconds since the run was created. Items are JSON events (this file) or, for bulk data, binary frames
 * (frames.ts): time series, histograms, completions of measuring loops, packets. Both share the numbering, so a stream
 * can be replayed from any point.
 *
 * `endpoint` is the name of the event's endpoint (its role in the lab, e.g. `client`); absent on events of the run
 * itself.
 */

/** Work request of a finding. Both sides name it by the same two QPs. */
export const zFindingRequest = z.object({
  /** QPN of the QP that the request was posted to. */
  qpn: zU24,
  /** QPN of the other QP. */
  peerQpn: zU24.optional(),
  opcode: z.string().max(64),
  length: zU32,
  /** Id of the request, 64 bits. Known on the posting side. */
  wrId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** Status of its completion, e.g. `REM_ACCESS_ERR`. */
  status: z.string().max(64).optional(),
  remoteAddr: z
    .string()
    .regex(/^0x[0-9a-f]{1,16}$/)
    .optional(),
  rkey: zU32.optional(),
  /** PSN: on the posting side, the first of the request; on the refusing side, that of the NAK. */
  psn: zU24.optional(),
});
export type FindingRequest = z.infer<typeof zFindingRequest>;

const zArgs = z.record(z.string(), z.json());

/** Bodies by kind, as a lab or an endpoint emits them. The agent adds `seq` (and `t` if it is missing). */
export const EVENT_BODIES = {
  'run.state': z.object({
    kind: z.literal('run.state'),
    state: zRunState,
    /** Reason, for failed, cancelled, interrupted. */
    error: zErrorInfo.optional(),
  }),
  /** An endpoint was opened. */
  endpoint: z.object({
    kind: z.literal('endpoint'),
    role: z.string(),
    pid: zCount.optional(),
    device: z.string(),
    providerClass: zProviderClass,
    /** Paired agent of the endpoint; absent on the agent that owns the run. */
    host: z.string().optional(),
    /** CPUs of that host. Absent in runs of older agents. */
    cpus: zCount.optional(),
    /** Uncertainty of its times on the run's clock, ns: the clock offset of the two hosts is known to ± this. */
    clockErrorNs: z.number().min(0).optional(),
    /**
     * True for an endpoint in a virtual machine of the run's host. On request, tc-netem(8) loses and delays packets of
     * its link.
     */
    netem: z.boolean().optional(),
    /** Addresses of a program's device, as text. */
    gids: z.array(z.string().max(64)).max(64).optional(),
  }),
  /** Link that carries packets of RDMA. In a program: the first that its counters show. */
  link: z.object({ kind: z.literal('link'), link: zLink, transport: zTransport.optional() }),
  /** Announces a source of binary frames, before the first of them. */
  source: z.object({
    kind: z.literal('source'),
    source: zU32,
    transport: zTransport,
    /** Role. `process`: all work of a process of a program. */
    role: z.enum(['client', 'server', 'process']),
    /** Kind of records: of a measuring loop (or a program's work), or of the packet tap of an endpoint. */
    what: z.enum(['loop', 'tap']),
    label: z.string(),
    /** Number of the round, from 1, if the loop has several. */
    round: z.int().min(1).optional(),
  }),
  step: z.object({
    kind: z.literal('step'),
    phase: z.enum(['begin', 'end']),
    id: z.string(),
    /** Index from 0, in the order of the lab's description. */
    index: zCount,
    ok: z.boolean().optional(),
  }),
  /** A verbs call (or rdma_cm, or socket call) with arguments and result, without pointers. */
  verb: z.object({
    kind: z.literal('verb'),
    /** Name as in C: `ibv_create_qp`. */
    call: z.string(),
    args: zArgs,
    result: z.json().optional(),
    error: zErrorInfo.optional(),
    /** Duration of the whole call as its program sees it, with the binding, ns. 0: not measured. */
    durationNs: z.number().min(0),
    /** Present if a rule of injected faults failed the call: it is no problem of the run. */
    injected: z.literal(true).optional(),
  }),
  qp: z.object({
    kind: z.literal('qp'),
    qpn: zU24,
    from: zSeenQpState,
    to: zSeenQpState,
    /** Attributes that the transition set, by their ibv_qp_attr names. */
    attrs: zArgs,
  }),
  /** Data that one side sent to the other out of band so that they can connect. */
  exchange: z.object({
    kind: z.literal('exchange'),
    from: z.string(),
    to: z.string(),
    values: zArgs,
    /** Part that programs send as bytes (hex), e.g. {addr u64, rkey u32} as CM private data. */
    record: z
      .string()
      .regex(/^([0-9a-f]{2})*$/)
      .optional(),
  }),
  /** Times of a work request on the clock of `t`; null for a stage that it did not reach. */
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
  /** A verbs object of a program was created or destroyed. */
  object: z.object({
    kind: z.literal('object'),
    phase: z.enum(['made', 'gone']),
    /** Kind of object, in the words of the misuse report: `MR`, `QP`, `completion channel`. */
    object: z.string(),
    /** QPN, key of a region or window, or handle of a PD; for other kinds, a count per process, from 1. */
    number: zU32,
    /** The call that made or destroyed it. */
    call: z.string(),
    attrs: zArgs,
  }),
  /** A misuse of verbs in a program (docs/report.md). */
  finding: z.object({
    kind: z.literal('finding'),
    id: z.string(),
    call: z.string(),
    /** Name of the object in the report, e.g. `QP 0x000011`. */
    object: z.string(),
    count: zCount,
    detail: z.string(),
    /** Place in the program, in words: `main, bad.c:25`. Null if unknown. */
    where: z.string().nullable(),
    /** Place as data. Absent in runs of older agents. */
    place: zCallPlace.nullable().optional(),
    cure: z.string(),
    request: zFindingRequest.optional(),
    /** Counter of the device that counts this misuse. Absent if none does. */
    counter: z.string().optional(),
  }),
  /** A command of a run with several commands began or ended. Absent if there is only one. */
  command: z.object({
    kind: z.literal('command'),
    phase: z.enum(['begin', 'end']),
    /** Index from 0, in the order in which the commands began. */
    index: zCount,
    command: z.array(z.string()),
    /** Streams that go to a terminal and are not recorded; absent where there are none. */
    terminal: z.array(z.enum(['stdout', 'stderr'])).optional(),
    exitCode: z.int().min(0).max(255).nullable().optional(),
    signal: z.string().max(32).nullable().optional(),
  }),
  /**
   * Output of a program, in the order of its stream. The first and the last `OUTPUT_KEPT_BYTES` of each stream are
   * kept.
   */
  output: z.object({
    kind: z.literal('output'),
    /** `both`: stdout and stderr are the same file, so they share one pipe and keep their order. */
    stream: zOutputStream,
    /** Text, decoded from UTF-8. U+FFFD stands for bytes that are not UTF-8. */
    text: z.string().max(MAX_OUTPUT_TEXT),
    /** Bytes that `text` stands for. */
    bytes: zCount,
    /** Bytes that were left out just before `text`. */
    leftOut: zCount.optional(),
    /** Index of the command, in a run with several commands. Absent for the first. */
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
  /**
   * Faults that a person set for the packets that the endpoint's device sends from now on. Without any of them: no
   * faults.
   */
  faults: z.object({ kind: z.literal('faults'), ...zFaults.shape }),
  /**
   * Requests that a process of a program posted to each peer queue pair, and their payload, since the process began.
   * Only peers with changes; the latest sums of a peer are its sums.
   */
  traffic: z.object({
    kind: z.literal('traffic'),
    peers: z
      .array(
        z.object({
          /** QPN of the posting QP. */
          qpn: zU24,
          /** Address and QPN of the peer. */
          gid: z.string().max(64),
          peerQpn: zU24,
          messages: zCount,
          bytes: zCount,
        }),
      )
      .max(256),
    /** Sums for all peers beyond the first 4,096. */
    otherMessages: zCount,
    otherBytes: zCount,
  }),
  /** What stands still in a process of a program, about once a second while it changes. */
  standstill: z.object({ kind: z.literal('standstill'), ...zStandstill.shape }),
  /** Occupancy of the queues of an endpoint or a process, about ten times per second while it changes. */
  queues: z.object({ kind: z.literal('queues'), ...zQueues.shape }),
  /** A simulation of a fabric ended, or is as far as this while it is running. */
  simulation: z.object({ kind: z.literal('simulation'), ...zSimulation.shape }),
  /** Policies of queue pairs other than the default, about ten times per second while something changes. */
  policies: z.object({ kind: z.literal('policies'), ...zPolicies.shape }),
  /** Device counters. They never reset: events are the difference between two snapshots. */
  counter: z.object({
    kind: z.literal('counter'),
    when: zKnown(['before', 'after', 'sample'], 'sample'),
    values: z.record(z.string(), z.number()),
  }),
  /** CPU time of the endpoint since it began, ns. `nicUserNs`/`nicKernelNs` are null if no device reports them. */
  cpu: z.object({
    kind: z.literal('cpu'),
    processUserNs: z.number(),
    processSystemNs: z.number(),
    nicUserNs: z.number().nullable(),
    nicKernelNs: z.number().nullable(),
  }),
  /** A file of a program at the start of the run: the source of a workbench task. */
  file: z.object({
    kind: z.literal('file'),
    name: z.string().max(64),
    text: z.string().max(MAX_SOURCE_BYTES),
  }),
  check: z.object({ kind: z.literal('check'), ...zCheck.shape }),
  /**
   * A figure, a row of a table and a point of a curve, under the names that the lab declared. A later figure replaces
   * an earlier one.
   */
  figure: z.object({ kind: z.literal('figure'), name: z.string().max(64), ...zFigureValue.shape }),
  row: z.object({ kind: z.literal('row'), table: z.string().max(64), cells: zRow }),
  point: z.object({ kind: z.literal('point'), curve: z.string().max(64), ...zPoint.shape }),
  /** Errors that the lab causes on purpose. They do not count as problems. Comes before the first endpoint. */
  intended: z.object({ kind: z.literal('intended'), refusals: z.array(zIntended).max(64) }),
  /** Predictions of a person before the run. */
  predicted: z.object({ kind: z.literal('predicted'), values: z.record(z.string().max(64), zGuess) }),
  /** Outcome of the run for a prediction. */
  outcome: z.object({ kind: z.literal('outcome'), prediction: z.string().max(64), value: zGuess }),
  progress: z.object({
    kind: z.literal('progress'),
    fraction: z.number().min(0).max(1),
    text: z.string(),
    secondsLeft: z.number().nullable(),
  }),
  /** Part of the run that charts shade: a start-up that figures leave out, or a measured stretch. */
  phase: z.object({
    kind: z.literal('phase'),
    phase: z.enum(['begin', 'end']),
    id: z.string(),
    transport: zTransport.optional(),
    omit: z.boolean(),
    text: z.string(),
  }),
  /** A note of the lab. `caveat`: it limits the figures, and stands at the headline. */
  note: z.object({ kind: z.literal('note'), ...zNote.shape }),
  log: z.object({
    kind: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    text: z.string(),
  }),
  /**
   * Number of records beyond the limit of a run. They are not recorded, but their frames are still sent to clients that
   * follow the run live.
   */
  dropped: z.object({
    kind: z.literal('dropped'),
    what: z.enum(['completions', 'packets', 'series', 'histogram', 'events']),
    records: zCount,
    reason: z.enum(['limit', 'slow']),
  }),
  result: z.object({ kind: z.literal('result'), result: zRunResult }),
  /** An event of a kind that only another version of Verbs Lab knows, with all its fields. */
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
  EVENT_BODIES.standstill,
  EVENT_BODIES.queues,
  EVENT_BODIES.simulation,
  EVENT_BODIES.policies,
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

/** Longest name of a kind that is accepted. */
export const MAX_KIND = 64;

/** Converts an event of an unknown kind into an `unknown` event. */
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

/** Event from an emitter: a body with its time and endpoint, if known. */
export type EmittedEvent = EventBody & { t?: number; endpoint?: string };
