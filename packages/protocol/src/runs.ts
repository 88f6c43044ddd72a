import { z } from 'zod';
import { reply } from './message.js';
import { ID_FORM } from './ids.js';
import { zErrorInfo } from './error-schema.js';
import { zProviderClass } from './device.js';
import { zImported } from './imported.js';
import { zLabResults } from './lab-results.js';
import { LINKS } from './links.js';
import { RUN_STATES } from './run-state.js';
import { zRunOfSweep } from './sweeps.js';
import { TRANSPORTS } from './transports.js';
import { zCount, zU24 } from './verbs.js';

export const zRunState = z.enum(RUN_STATES);

/** Mode of a run. `all` runs through; `step` waits for `run.step` before each step of the lab. */
export const zRunMode = z.enum(['all', 'step']);
export type RunMode = z.infer<typeof zRunMode>;

export const zCheck = z.object({
  /** Stable id, e.g. `bytes-equal`. */
  id: z.string(),
  ok: z.boolean(),
  /** False: there was nothing to check in this run, for the reason in `detail`. `ok` is true then. */
  applies: z.literal(false).optional(),
  /** Sentence with the figures that decided the check. */
  detail: z.string(),
  /** Line of the program that the check is about. Only for tasks of the workbench. */
  at: z.object({ file: z.string().max(1024), line: z.int().min(1) }).optional(),
});
export type Check = z.infer<typeof zCheck>;

/** A note. `caveat`: it limits the figures, rather than explains them. */
export const zNote = z.object({ text: z.string(), caveat: z.literal(true).optional() });
export type Note = z.infer<typeof zNote>;

const zCpuPerGB = z.object({
  app: z.number(),
  nic: z.number().nullable(),
  kernel: z.number(),
  outside: z.number().optional(),
});

const zSpread = z.object({ min: z.number(), max: z.number() });

/** Latency; null if no message completed. */
export const zLatencyUs = z.object({
  n: zCount.optional(),
  min: z.number(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  p999: z.number().nullable(),
  max: z.number(),
});

/** A measurement of a transport, one of several. */
const zRound = z.object({
  goodputGbps: z.number(),
  messagesPerSecond: z.number(),
  cpuSecondsPerGB: zCpuPerGB.nullable(),
  /** Part of each end, all parts together. Absent in runs of older agents. */
  cpuOfEnds: z.object({ client: z.number(), server: z.number() }).nullable().optional(),
  /** Latency of this round alone. Absent in runs of older agents. */
  latencyUs: zLatencyUs.nullable().optional(),
  bytes: zCount,
  messages: zCount,
  seconds: z.number(),
});

export const zLink = z.enum(LINKS);

export const zTransportResult = z.object({
  /** Link of the packets. Absent for TCP, on devices without a choice of links, and in runs of older agents. */
  link: zLink.optional(),
  /** Payload without warm-up, 10^9 bits per second. This and the next two are medians over the rounds. */
  goodputGbps: z.number(),
  messagesPerSecond: z.number(),
  /** CPU time of both ends together. Null if nothing was transferred. */
  cpuSecondsPerGB: zCpuPerGB.nullable(),
  /** Latency over the samples of all rounds. */
  latencyUs: zLatencyUs.nullable(),
  /** Payload bytes and messages behind the figures, with their time in seconds, over all rounds. */
  bytes: zCount,
  messages: zCount,
  seconds: z.number(),
  /** Rounds in order of time. Absent, like `spread`, in runs of older agents, which measured once. */
  rounds: z.array(zRound).min(1).optional(),
  /** Smallest and largest round; `cpuSecondsPerGB`: all parts together. */
  spread: z.object({ goodputGbps: zSpread, cpuSecondsPerGB: zSpread.nullable() }).optional(),
  /** True if the run ended early and the agent computed the figures from the samples until then. */
  partial: z.literal(true).optional(),
});
export type TransportResult = z.infer<typeof zTransportResult>;

export const zTransport = z.enum(TRANSPORTS);

export const OUTPUT_STREAMS = ['stdout', 'stderr', 'both'] as const;
export const zOutputStream = z.enum(OUTPUT_STREAMS);
export type OutputStream = z.infer<typeof zOutputStream>;

/** A QP of a program, with the QP at the other end. */
const zQpPair = z.object({ qpn: zU24, peerQpn: zU24 });
export type QpPair = z.infer<typeof zQpPair>;
export const MAX_CONNECTIONS = 32;

/** RDMA work of all processes of a program together. */
export const zProgramWork = z.object({
  /** Number of processes that opened a device. */
  processes: zCount,
  device: z.string().max(64).nullable(),
  /**
   * Completed work requests, sends and receives, and their payload. Data that one process of the run sent to another,
   * or to itself, counts once, at the sender.
   */
  messages: zCount,
  bytes: zCount,
  /**
   * Sends and receives that the program posted or tried to post, and packets received. Absent if counters are missing.
   */
  posted: zCount.optional(),
  packetsReceived: zCount.optional(),
  /** Parts of `bytes` by operation. Absent in runs of older agents, like all optional members. */
  moved: z.object({ written: zCount, read: zCount, sent: zCount, received: zCount }).optional(),
  /** Time from the first post, or the first completion, to the last polled completion. Null if it is unknown. */
  seconds: z.number().min(0).nullable(),
  timedFrom: z.enum(['post', 'completion']).optional(),
  /** Start of these seconds, ns since the run was created. */
  start: z.number().min(0).optional(),
  /** Part of `bytes` that was transferred in these seconds. */
  timedBytes: zCount.optional(),
  /** True if never more than one send was outstanding. */
  oneAtATime: z.boolean().optional(),
  /** Latency of sends, from post to completion. Null if none was measured. */
  latencyUs: zLatencyUs.nullable(),
  /** True if the latency is of a sample. */
  sampled: z.boolean(),
  /** Addresses of peers, and their number. */
  peers: z.array(z.string().max(64)).max(8),
  peerCount: zCount,
  /** First QPs of the program, each with a QP that it was connected to or posted to. */
  connections: z.array(zQpPair).max(MAX_CONNECTIONS).optional(),
});
export type ProgramWork = z.infer<typeof zProgramWork>;

/** Machine of an endpoint or of a program, with the version of the agent there. */
export const zSystem = z.object({
  hostname: z.string().max(256),
  cpu: z.string().max(256),
  cpus: zCount,
  kernel: z.string().max(256),
  verbslab: z.string().max(64),
});
export type System = z.infer<typeof zSystem>;

/** A command of a run with several, with its end. `exitCode` and `signal` are null if the end is unknown. */
const zProgramCommand = z.object({
  command: z.array(z.string()),
  /** Start on the run’s clock, ns. */
  begun: z.number().min(0),
  /** Options of `verbslab exec`. Absent where there were none, and in runs of older versions. */
  options: z.array(z.string()).optional(),
  /** Output streams that went to a terminal. None of their content is kept. */
  terminal: z.array(z.enum(['stdout', 'stderr'])).optional(),
  exitCode: z.int().min(0).max(255).nullable(),
  signal: z.string().max(32).nullable(),
});
export type ProgramCommand = z.infer<typeof zProgramCommand>;

/**
 * End of a program. `exitCode` and `signal` are null if it is unknown. For several commands: of the first that failed.
 */
export const zProgramResult = z.object({
  exitCode: z.int().min(0).max(255).nullable(),
  signal: z.string().max(32).nullable(),
  /** Commands in the order in which they began. Absent if there is only one. */
  commands: z.array(zProgramCommand).min(2).optional(),
  /** RDMA work. Absent if `verbslab exec` ended before the program. */
  work: zProgramWork.optional(),
  /** Machine. Absent in runs of older agents. */
  system: zSystem.optional(),
});
export type ProgramResult = z.infer<typeof zProgramResult>;

/** Output of `verbslab run … --json`, and result of a finished run. */
export const zRunResult = z.object({
  lab: z.string(),
  state: zRunState,
  /** Provider class of the first role; `endpoints` has the others. */
  provider: zProviderClass.nullable(),
  /** Device name; null if the run failed before a device was opened. */
  device: z.string().nullable(),
  /** Links that carried packets of RDMA, in the order of `LINKS`. Absent if unknown. */
  links: z.array(zLink).optional(),
  /** Place of each endpoint: host `local` is the agent that kept the run. Absent in runs of older agents. */
  endpoints: z
    .array(
      z.object({
        role: z.string(),
        host: z.string(),
        device: z.string(),
        providerClass: zProviderClass,
        /** Machine. Absent in runs of older agents. */
        system: zSystem.optional(),
      }),
    )
    .optional(),
  parameters: z.record(z.string(), z.json()),
  transports: z.partialRecord(zTransport, zTransportResult),
  checks: z.array(zCheck),
  /** Results that the lab named and filled. Absent if there are none, and in runs of older agents. */
  results: zLabResults.optional(),
  /** Answer to the lab's question in one line, if the lab has one. */
  answer: z.string().optional(),
  /** Notes of the lab on its figures, from its `note` events. Absent if there are none, and in runs of older agents. */
  notes: z.array(zNote).min(1).optional(),
  /**
   * Number of problems: failed calls, completions and checks, misuse, and error counters that grew. Absent in runs of
   * older agents.
   */
  problems: zCount.optional(),
  /** Result of a program under `verbslab exec`. Absent in runs of labs and of older agents. */
  program: zProgramResult.optional(),
  /** Path of the capture on the agent's machine; null if nothing was captured. */
  captureFile: z.string().nullable(),
  error: zErrorInfo.optional(),
});
export type RunResult = z.infer<typeof zRunResult>;

export const zRunId = z.string().regex(ID_FORM);

/** Reference to another run. */
const zRunName = z.object({ id: zRunId, number: z.int().min(1).max(0xffff_ffff) });

/** A run in lists. Times are milliseconds since 1970. */
export const zRunRecord = z.object({
  id: zRunId,
  /** Number of the run on this agent; also `run` in the header of binary frames. */
  number: z.int().min(1).max(0xffff_ffff),
  lab: z.string(),
  title: z.string(),
  mode: zRunMode,
  state: zRunState,
  parameters: z.record(z.string(), z.json()),
  /** Sweep of the run. Absent if it is not part of a sweep. */
  sweep: zRunOfSweep.optional(),
  /** Origin of the run. Absent if this agent recorded it. */
  imported: zImported.optional(),
  /**
   * Zero of the run’s clock, for a program. `ns` is CLOCK_MONOTONIC of the boot in `boot`, so runs of the same boot
   * have exact times on each other’s clock. Absent in runs of older agents.
   */
  clock: z.object({ boot: z.string().max(64), ns: z.string().regex(/^\d{1,20}$/) }).optional(),
  /** Runs that were joined into this one. Absent on all others. */
  parts: z.array(zRunName).min(2).optional(),
  /** Run that this one is a part of. Lists omit parts. */
  partOf: zRunName.optional(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Step that waits for `run.step`, in step mode; null if none does. */
  waitingFor: z.string().nullable(),
  progress: z
    .object({ fraction: z.number().min(0).max(1), text: z.string(), secondsLeft: z.number().nullable() })
    .nullable(),
  /** Highest sequence number of the stream so far; 0 if it is empty. */
  lastSeq: zCount,
  /** Bytes of stream that were kept, and detail records beyond the limit of a run. */
  recordedBytes: zCount,
  droppedRecords: zCount,
  capture: z.object({ packets: zCount, bytes: zCount, dropped: zCount }).nullable(),
  result: zRunResult.nullable(),
  error: zErrorInfo.nullable(),
  /** Tags and number of notes in the notebook. Absent if there are none, and from older agents. */
  tags: z.array(z.string()).optional(),
  noteCount: zCount.optional(),
});
export type RunRecord = z.infer<typeof zRunRecord>;

export const RUN = reply('run', { run: zRunRecord });
