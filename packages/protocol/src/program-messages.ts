/** What `verbslab exec` and its runs need: programs that clients run, and runs of programs that are joined. */
import { z } from 'zod';
import { zProgramEvent } from './events.js';
import { zFaults } from './faults.js';
import { MAX_COMMANDS } from './program.js';
import { zProgramWork, zRunId, zRunRecord } from './runs.js';
import { zCount, zU32 } from './verbs.js';

const request = { id: zU32 };
const ref = { ...request, runId: zRunId };

const command = {
  /** The command line. */
  command: z.array(z.string().max(4096)).min(1).max(256),
  /** Streams that go to a terminal. They are not recorded, so that the program keeps its terminal. */
  terminal: z
    .array(z.enum(['stdout', 'stderr']))
    .max(2)
    .optional(),
  /** The sender obeys `program.faults`. */
  takesFaults: z.boolean().optional(),
};

export const PROGRAM_CLIENT_MESSAGES = {
  /**
   * `verbslab exec` runs a program: a run of its own, fed over this connection, which may send binary frames for
   * it from then on. It ends with `program.end`, or interrupted when the connection closes.
   */
  'program.start': z.object({
    type: z.literal('program.start'),
    ...request,
    ...command,
    /** CLOCK_MONOTONIC of the sender, ns: the run's clock reads 0 then, if the sender is on this machine. */
    clock: z.string().regex(/^\d{1,20}$/),
  }),
  /** As `program.start`, for a command that becomes part of a run of `program.start` that is in progress. */
  'program.join': z.object({ type: z.literal('program.join'), ...ref, ...command }),
  /** No reply. Part of the run's stream. */
  'program.events': z.object({
    type: z.literal('program.events'),
    id: zU32.optional(),
    runId: zRunId,
    events: z.array(zProgramEvent).max(1000),
  }),
  /** No reply. What became of `program.faults`. */
  'program.faulted': z.object({
    type: z.literal('program.faulted'),
    id: zU32.optional(),
    runId: zRunId,
    ask: zU32,
    /** The processes that do it now. */
    endpoints: z.array(z.string().max(100)).max(10_000),
    /** Why there are none. */
    why: z.string().max(500).optional(),
  }),
  /** The program has ended, and everything was sent. */
  'program.end': z.object({
    type: z.literal('program.end'),
    ...ref,
    /** Null when a signal ended it. */
    code: z.int().min(0).max(255).nullable(),
    signal: z.string().max(32).nullable(),
    work: zProgramWork.optional(),
  }),
  /** Makes one run of runs of programs that have ended, on the clock of the earliest. They become its parts. */
  'run.join': z.object({
    type: z.literal('run.join'),
    ...request,
    runIds: z.array(zRunId).min(2).max(MAX_COMMANDS),
  }),
  /** Takes a joined run apart: its parts are as they were before, and it is gone. */
  'run.separate': z.object({ type: z.literal('run.separate'), ...ref }),
} as const;

export const PROGRAM_AGENT_MESSAGES = {
  'program.joined': z.object({
    type: z.literal('program.joined'),
    re: zU32,
    run: zRunRecord,
    /** Which command of the run it is, from 0: `output` events name it. */
    index: zCount,
    /** CLOCK_MONOTONIC at which the run’s clock reads 0, ns. */
    clock: z.string().regex(/^\d{1,20}$/),
    /** The sources of its frames begin above this number. */
    sources: zU32,
    /** So many processes of the run opened the device before. Absent: not told. */
    processes: zCount.optional(),
  }),
  /** To the connection that feeds it: end the program; the run was cancelled. */
  'program.stop': z.object({ type: z.literal('program.stop'), runId: zRunId }),
  /** To the connection that feeds it: what the device of its processes, or of one, does to packets from now on. */
  'program.faults': z.object({
    type: z.literal('program.faults'),
    runId: zRunId,
    /** `program.faulted` has it too. */
    ask: zU32,
    endpoint: z.string().max(64).optional(),
    faults: zFaults,
    /** They were set for the run before the command took part: faults of its own go before. */
    earlier: z.boolean().optional(),
  }),
  /** The parts, which are in the lists again. */
  'run.separated': z.object({ type: z.literal('run.separated'), re: zU32, runs: z.array(zRunRecord) }),
} as const;
