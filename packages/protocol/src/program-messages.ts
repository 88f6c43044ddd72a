/** Messages for `verbslab exec` and its runs: programs that clients run, and joined runs of programs. */
import { z } from 'zod';
import { notice, push, reply, request } from './message.js';
import { zProgramEvent } from './reported-events.js';
import { zFaults } from './faults.js';
import { MAX_COMMANDS } from './program.js';
import { RUN, zProgramWork, zRunId, zRunRecord } from './runs.js';
import { zCount, zU32 } from './verbs.js';

const ref = { runId: zRunId };

const command = {
  /** Command line. */
  command: z.array(z.string().max(4096)).min(1).max(256),
  /** Options of `verbslab exec` that the command was run with, as words: `--link`, `udp`. */
  options: z.array(z.string().max(4096)).max(128).optional(),
  /** Streams that go to a terminal. They are not recorded, so that the program keeps its terminal. */
  terminal: z
    .array(z.enum(['stdout', 'stderr']))
    .max(2)
    .optional(),
  /** True if the sender obeys `program.faults`. */
  takesFaults: z.boolean().optional(),
};

export const PROGRAM_MESSAGES = [
  /**
   * Starts the run of a program under `verbslab exec`. The connection feeds the run, and may send binary frames for it
   * from then on. The run ends with `program.end`, or as interrupted when the connection closes.
   */
  request(
    'program.start',
    {
      ...command,
      /** CLOCK_MONOTONIC of the sender, ns, at which the run's clock reads 0 if the sender is on this machine. */
      clock: z.string().regex(/^\d{1,20}$/),
    },
    RUN,
    {
      what: 'creates a run for a program that the client runs: `command`, `clock`, `options`, `terminal`; see below',
    },
  ),
  /** Starts a command that becomes part of a run in progress of `program.start`. */
  request(
    'program.join',
    { ...ref, ...command },
    reply('program.joined', {
      run: zRunRecord,
      /** Index of the command in the run, from 0, for `output` events. */
      index: zCount,
      /** CLOCK_MONOTONIC at which the run’s clock reads 0, ns. */
      clock: z.string().regex(/^\d{1,20}$/),
      /** Number above which the sources of its frames begin. */
      sources: zU32,
      /** Number of processes of the run that opened the device before. Absent: unknown. */
      processes: zCount.optional(),
    }),
    {
      what: 'makes a program part of a run of `program.start` in progress: `runId`, `command`, `options`, `terminal`; see below',
    },
  ),
  /** Adds events to the run's stream, without a reply. */
  notice(
    'program.events',
    { runId: zRunId, events: z.array(zProgramEvent).max(1000) },
    { what: 'events of such a run; `zProgramEvent` lists the kinds allowed' },
  ),
  /** Reports the result of `program.faults`, without a reply. */
  notice(
    'program.faulted',
    {
      runId: zRunId,
      ask: zU32,
      /** Processes that apply the faults now. */
      endpoints: z.array(z.string().max(100)).max(10_000),
      /** Reason why there are none. */
      why: z.string().max(500).optional(),
    },
    { what: 'what became of `program.faults`: `ask`, the `endpoints` that took it, and `why` if none did' },
  ),
  /** Ends the program's run: everything was sent. */
  request(
    'program.end',
    {
      ...ref,
      /** Exit code; null if a signal ended the program. */
      code: z.int().min(0).max(255).nullable(),
      signal: z.string().max(32).nullable(),
      work: zProgramWork.optional(),
    },
    RUN,
    { what: 'the program has ended: `code` or `signal`, and what it did (`work`)' },
  ),
  /** Joins ended runs of programs into one run, on the clock of the earliest. They become its parts. */
  request('run.join', { runIds: z.array(zRunId).min(2).max(MAX_COMMANDS) }, RUN, {
    // Everything that they recorded is copied.
    patience: 120_000,
    what: 'makes one run of ended runs of programs (`runIds`), on the clock of the earliest; see [exec.md](exec.md)',
  }),
  /** Separates a joined run into its parts, as they were before, and deletes the joined run. */
  request(
    'run.separate',
    { ...ref },
    /** Parts that are in the lists again. */
    reply('run.separated', { runs: z.array(zRunRecord) }),
    { what: 'deletes a joined run; its parts (`runs`) are in the lists again' },
  ),
  /** To the connection that feeds the run: end the program, because the run was cancelled. */
  push('program.stop', { runId: zRunId }),
  /** To the connection that feeds the run: faults for packets of all its processes' devices, or of one, from now on. */
  push('program.faults', {
    runId: zRunId,
    /** Number of the request, which `program.faulted` repeats. */
    ask: zU32,
    endpoint: z.string().max(64).optional(),
    faults: zFaults,
    /** True if the faults were set for the run before the command joined. The command's own faults have priority. */
    earlier: z.boolean().optional(),
  }),
];
