/** What `verbslab exec` and its runs need: programs that clients run, and runs of programs that are joined. */
import { z } from 'zod';
import { notice, push, reply, request } from './message.js';
import { zProgramEvent } from './reported-events.js';
import { zFaults } from './faults.js';
import { MAX_COMMANDS } from './program.js';
import { RUN, zProgramWork, zRunId, zRunRecord } from './runs.js';
import { zCount, zU32 } from './verbs.js';

const ref = { runId: zRunId };

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

export const PROGRAM_MESSAGES = [
  /**
   * `verbslab exec` runs a program: a run of its own, fed over this connection, which may send binary frames for
   * it from then on. It ends with `program.end`, or interrupted when the connection closes.
   */
  request(
    'program.start',
    {
      ...command,
      /** CLOCK_MONOTONIC of the sender, ns: the run's clock reads 0 then, if the sender is on this machine. */
      clock: z.string().regex(/^\d{1,20}$/),
    },
    RUN,
    { what: 'creates a run for a program that the client runs: `command`, `clock`, `terminal`; see below' },
  ),
  /** As `program.start`, for a command that becomes part of a run of `program.start` that is in progress. */
  request(
    'program.join',
    { ...ref, ...command },
    reply('program.joined', {
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
    {
      what: 'makes a program part of a run of `program.start` in progress: `runId`, `command`, `terminal`; see below',
    },
  ),
  /** No reply. Part of the run's stream. */
  notice(
    'program.events',
    { runId: zRunId, events: z.array(zProgramEvent).max(1000) },
    { what: 'events of such a run; `zProgramEvent` lists the kinds allowed' },
  ),
  /** No reply. What became of `program.faults`. */
  notice(
    'program.faulted',
    {
      runId: zRunId,
      ask: zU32,
      /** The processes that do it now. */
      endpoints: z.array(z.string().max(100)).max(10_000),
      /** Why there are none. */
      why: z.string().max(500).optional(),
    },
    { what: 'what became of `program.faults`: `ask`, the `endpoints` that took it, and `why` if none did' },
  ),
  /** The program has ended, and everything was sent. */
  request(
    'program.end',
    {
      ...ref,
      /** Null when a signal ended it. */
      code: z.int().min(0).max(255).nullable(),
      signal: z.string().max(32).nullable(),
      work: zProgramWork.optional(),
    },
    RUN,
    { what: 'the program has ended: `code` or `signal`, and what it did (`work`)' },
  ),
  /** Makes one run of runs of programs that have ended, on the clock of the earliest. They become its parts. */
  request('run.join', { runIds: z.array(zRunId).min(2).max(MAX_COMMANDS) }, RUN, {
    // All that they recorded is copied.
    patience: 120_000,
    what: 'makes one run of ended runs of programs (`runIds`), on the clock of the earliest; see [exec.md](exec.md)',
  }),
  /** Takes a joined run apart: its parts are as they were before, and it is gone. */
  request(
    'run.separate',
    { ...ref },
    /** The parts, which are in the lists again. */
    reply('run.separated', { runs: z.array(zRunRecord) }),
    { what: 'deletes a joined run; its parts (`runs`) are in the lists again' },
  ),
  /** To the connection that feeds it: end the program; the run was cancelled. */
  push('program.stop', { runId: zRunId }),
  /** To the connection that feeds it: what the device of its processes, or of one, does to packets from now on. */
  push('program.faults', {
    runId: zRunId,
    /** `program.faulted` has it too. */
    ask: zU32,
    endpoint: z.string().max(64).optional(),
    faults: zFaults,
    /** They were set for the run before the command took part: faults of its own go before. */
    earlier: z.boolean().optional(),
  }),
];
