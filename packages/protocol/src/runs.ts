import { z } from 'zod';
import { reply } from './message.js';
import { ID_FORM } from './ids.js';
import { zErrorInfo } from './errors.js';
import { zProviderClass } from './device.js';
import { zImported } from './imported.js';
import { zLabResults } from './lab-results.js';
import { LINKS } from './links.js';
import { RUN_STATES } from './run-state.js';
import { zRunOfSweep } from './sweeps.js';
import { TRANSPORTS } from './transports.js';
import { zCount, zU24 } from './verbs.js';

export const zRunState = z.enum(RUN_STATES);

/** `all` runs through; `step` waits before each step of the lab for `run.step`. */
export const zRunMode = z.enum(['all', 'step']);
export type RunMode = z.infer<typeof zRunMode>;

export const zCheck = z.object({
  /** Stable, e.g. `bytes-equal`. */
  id: z.string(),
  ok: z.boolean(),
  /** False: there was nothing to check in this run, and `detail` says why. `ok` is true then. */
  applies: z.literal(false).optional(),
  /** One sentence with the figures that decided it. */
  detail: z.string(),
  /** Line of the program that it is about. Of tasks of the workbench. */
  at: z.object({ file: z.string().max(1024), line: z.int().min(1) }).optional(),
});
export type Check = z.infer<typeof zCheck>;

/** `caveat`: what the figures hold for, rather than what they mean. */
export const zNote = z.object({ text: z.string(), caveat: z.literal(true).optional() });
export type Note = z.infer<typeof zNote>;

const zCpuPerGB = z.object({
  app: z.number(),
  nic: z.number().nullable(),
  kernel: z.number(),
  outside: z.number().optional(),
});

const zSpread = z.object({ min: z.number(), max: z.number() });

/** Null when no message completed. */
export const zLatencyUs = z.object({
  n: zCount.optional(),
  min: z.number(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  p999: z.number().nullable(),
  max: z.number(),
});

/** One of several measurements of a transport. */
const zRound = z.object({
  goodputGbps: z.number(),
  messagesPerSecond: z.number(),
  cpuSecondsPerGB: zCpuPerGB.nullable(),
  /** What of it each end spent, all parts together. Absent in runs of older agents. */
  cpuOfEnds: z.object({ client: z.number(), server: z.number() }).nullable().optional(),
  /** Of this round alone. Absent in runs of older agents. */
  latencyUs: zLatencyUs.nullable().optional(),
  bytes: zCount,
  messages: zCount,
  seconds: z.number(),
});

export const zLink = z.enum(LINKS);

export const zTransportResult = z.object({
  /** What carried the packets. Absent for TCP, on devices without a choice of links, and in runs of older agents. */
  link: zLink.optional(),
  /** Payload, 10^9 bits per second, warm-up left out. This and the next two are medians over the rounds. */
  goodputGbps: z.number(),
  messagesPerSecond: z.number(),
  /** Both ends together. Null when nothing was moved. */
  cpuSecondsPerGB: zCpuPerGB.nullable(),
  /** Over the samples of all rounds. */
  latencyUs: zLatencyUs.nullable(),
  /** Payload bytes and messages behind the figures, and the seconds they took, in all rounds. */
  bytes: zCount,
  messages: zCount,
  seconds: z.number(),
  /** In the order they ran. Absent, as `spread` is, in runs of older agents, which measured once. */
  rounds: z.array(zRound).min(1).optional(),
  /** Smallest and largest round; `cpuSecondsPerGB`: all parts together. */
  spread: z.object({ goodputGbps: zSpread, cpuSecondsPerGB: zSpread.nullable() }).optional(),
  /** The run ended early, and the agent computed this from the samples until then. */
  partial: z.literal(true).optional(),
});
export type TransportResult = z.infer<typeof zTransportResult>;

export const zTransport = z.enum(TRANSPORTS);

export const OUTPUT_STREAMS = ['stdout', 'stderr', 'both'] as const;
export const zOutputStream = z.enum(OUTPUT_STREAMS);
export type OutputStream = z.infer<typeof zOutputStream>;

/** A QP of a program, and one at the other end. */
const zQpPair = z.object({ qpn: zU24, peerQpn: zU24 });
export type QpPair = z.infer<typeof zQpPair>;
export const MAX_CONNECTIONS = 32;

/** What the processes of a program did with RDMA, all together. */
export const zProgramWork = z.object({
  /** Processes that opened a device. */
  processes: zCount,
  device: z.string().max(64).nullable(),
  /**
   * Completed work requests, sends and receives, and their payload. What one process of the run sent to another,
   * or to itself, counts once, where it was sent.
   */
  messages: zCount,
  bytes: zCount,
  /** Sends and receives that it posted or tried to post, and packets received. Absent where counters are missing. */
  posted: zCount.optional(),
  packetsReceived: zCount.optional(),
  /** Of `bytes`, by what was done with them. Absent in runs of older agents, as all optional members. */
  moved: z.object({ written: zCount, read: zCount, sent: zCount, received: zCount }).optional(),
  /** From the first post, or the first completion, to the last completion that was polled. Null when it is not known. */
  seconds: z.number().min(0).nullable(),
  timedFrom: z.enum(['post', 'completion']).optional(),
  /** When these seconds begin, ns since the run was created. */
  start: z.number().min(0).optional(),
  /** Of `bytes`, what was moved in these seconds. */
  timedBytes: zCount.optional(),
  /** Never was more than one send outstanding. */
  oneAtATime: z.boolean().optional(),
  /** From post to completion, of sends. Null when none was measured. */
  latencyUs: zLatencyUs.nullable(),
  /** The latency is of a sample. */
  sampled: z.boolean(),
  /** Addresses of peers, and how many there are. */
  peers: z.array(z.string().max(64)).max(8),
  peerCount: zCount,
  /** Its QPs and those that they were connected to or posted to: the first of them. */
  connections: z.array(zQpPair).max(MAX_CONNECTIONS).optional(),
});
export type ProgramWork = z.infer<typeof zProgramWork>;

/** The machine of an endpoint or of a program, and the version of the agent there. */
export const zSystem = z.object({
  hostname: z.string().max(256),
  cpu: z.string().max(256),
  cpus: zCount,
  kernel: z.string().max(256),
  verbslab: z.string().max(64),
});
export type System = z.infer<typeof zSystem>;

/** One command of a run that has several, and how it ended: both are null when its end is not known. */
const zProgramCommand = z.object({
  command: z.array(z.string()),
  /** On the run’s clock, ns. */
  begun: z.number().min(0),
  /** Its output streams that went to a terminal, so that nothing of them is kept. */
  terminal: z.array(z.enum(['stdout', 'stderr'])).optional(),
  exitCode: z.int().min(0).max(255).nullable(),
  signal: z.string().max(32).nullable(),
});
export type ProgramCommand = z.infer<typeof zProgramCommand>;

/** How a program ended. Both are null when its end is not known. Of several commands: the first that failed. */
export const zProgramResult = z.object({
  exitCode: z.int().min(0).max(255).nullable(),
  signal: z.string().max(32).nullable(),
  /** In the order in which they began. Absent where there is one. */
  commands: z.array(zProgramCommand).min(2).optional(),
  /** Absent when `verbslab exec` ended before the program did. */
  work: zProgramWork.optional(),
  /** Absent in runs of older agents. */
  system: zSystem.optional(),
});
export type ProgramResult = z.infer<typeof zProgramResult>;

/** What `verbslab run … --json` prints, and what a finished run shows. */
export const zRunResult = z.object({
  lab: z.string(),
  state: zRunState,
  /** That of the first role; `endpoints` has the others. */
  provider: zProviderClass.nullable(),
  /** Device name; null when the run failed before one was opened. */
  device: z.string().nullable(),
  /** What carried packets of RDMA, in the order of `LINKS`. Absent where nothing is known of it. */
  links: z.array(zLink).optional(),
  /** Where each endpoint was: host `local` is the agent that kept the run. Absent in runs of older agents. */
  endpoints: z
    .array(
      z.object({
        role: z.string(),
        host: z.string(),
        device: z.string(),
        providerClass: zProviderClass,
        /** Absent in runs of older agents. */
        system: zSystem.optional(),
      }),
    )
    .optional(),
  parameters: z.record(z.string(), z.json()),
  transports: z.partialRecord(zTransport, zTransportResult),
  checks: z.array(zCheck),
  /** What the lab named and filled in. Absent where it filled in nothing, and in runs of older agents. */
  results: zLabResults.optional(),
  /** The answer to the lab's question in one line, where the lab has one. */
  answer: z.string().optional(),
  /** What the lab says of its figures, as its `note` events do. Absent where it says nothing, and in runs of older agents. */
  notes: z.array(zNote).min(1).optional(),
  /** Failed calls, completions and checks, misuse, and error counters that moved. Absent in runs of older agents. */
  problems: zCount.optional(),
  /** Of a program under `verbslab exec`. Absent in runs of labs and of older agents. */
  program: zProgramResult.optional(),
  /** Path on the agent's machine; null when nothing was captured. */
  captureFile: z.string().nullable(),
  error: zErrorInfo.optional(),
});
export type RunResult = z.infer<typeof zRunResult>;

export const zRunId = z.string().regex(ID_FORM);

/** A run as another one names it. */
const zRunName = z.object({ id: zRunId, number: z.int().min(1).max(0xffff_ffff) });

/** A run as lists show it. Times are milliseconds since 1970. */
export const zRunRecord = z.object({
  id: zRunId,
  /** Counts the runs of this agent; also `run` in the header of binary frames. */
  number: z.int().min(1).max(0xffff_ffff),
  lab: z.string(),
  title: z.string(),
  mode: zRunMode,
  state: zRunState,
  parameters: z.record(z.string(), z.json()),
  /** Absent when the run is not part of a sweep. */
  sweep: zRunOfSweep.optional(),
  /** Absent when this agent recorded it. */
  imported: zImported.optional(),
  /**
   * Of a program: when the run’s clock read 0. `ns` is CLOCK_MONOTONIC of the boot that `boot` names, so runs of one boot have
   * exact times on each other’s clock. Absent in runs of older agents.
   */
  clock: z.object({ boot: z.string().max(64), ns: z.string().regex(/^\d{1,20}$/) }).optional(),
  /** The runs that were joined into this one. Absent on all others. */
  parts: z.array(zRunName).min(2).optional(),
  /** The run that this one is a part of. Lists leave it out. */
  partOf: zRunName.optional(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** In step mode: the step that waits for `run.step`; null when none does. */
  waitingFor: z.string().nullable(),
  progress: z
    .object({ fraction: z.number().min(0).max(1), text: z.string(), secondsLeft: z.number().nullable() })
    .nullable(),
  /** Highest sequence number of the stream so far; 0 for an empty one. */
  lastSeq: zCount,
  /** Bytes of stream kept, and detail records left out because the limit of a run was reached. */
  recordedBytes: zCount,
  droppedRecords: zCount,
  capture: z.object({ packets: zCount, bytes: zCount, dropped: zCount }).nullable(),
  result: zRunResult.nullable(),
  error: zErrorInfo.nullable(),
  /** Of the notebook: tags, and how many notes there are. Absent where there are none, and from older agents. */
  tags: z.array(z.string()).optional(),
  noteCount: zCount.optional(),
});
export type RunRecord = z.infer<typeof zRunRecord>;

export const RUN = reply('run', { run: zRunRecord });
