import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCommand } from '@verbslab/labs/tools';
import { errorInfo, type ErrorInfo } from '@verbslab/protocol';
import type { ProgramRun } from '../runs/program-run.js';
import { driven, type Driven } from './driven.js';
import { isReady } from './ready.js';
import type { ToolProcess } from './tool-process.js';

/** Time for a server to listen, s. One that takes longer will never listen. Devices start slowly on a busy machine. */
const READY_S = 20;
const LOOK_MS = 10;
/** Time that one end may continue after the other one failed, ms. */
const GRACE_MS = 3_000;

export interface DriveOptions extends Driven {
  commands: readonly ToolCommand[];
  link: string;
  /** Seconds after which the programs are ended as planned. */
  endsAfter: number | null;
  /** Seconds after which they are ended for being too slow. */
  limit: number;
}

/** Waits until the command can be reached. Returns the error; null also if the command or the run has ended. */
async function untilReady(
  run: ProgramRun,
  { program, ready }: ToolCommand,
  child: ToolProcess,
): Promise<ErrorInfo | null> {
  if (!ready) return null;
  const deadline = performance.now() + READY_S * 1000;
  while (!isReady(ready, child.pid)) {
    if (child.end !== null || run.stopping) return null;
    if (performance.now() > deadline) return errorInfo('TOOL_NOT_READY', { program, seconds: READY_S });
    await pause(LOOK_MS);
  }
  return null;
}

/** Starts the commands in order, ends the remaining ones, and lets the run end. Never rejects. */
export async function drive({ commands, link, endsAfter, limit, ...of }: DriveOptions): Promise<void> {
  const { run } = of;
  const timers: NodeJS.Timeout[] = [];
  const endIn = (ms: number, error: ErrorInfo | null = null): void => {
    timers.push(setTimeout(() => run.endCommands(error), ms));
  };
  endIn(limit * 1000, errorInfo('TOOL_TIME', { seconds: limit }));
  await driven(of, async (start, children) => {
    const allRun = () => children.every(({ end }) => end === null);
    for (const command of commands) {
      if (run.stopping || !allRun()) break;
      const child = start({ link, command: command.command });
      // An end that is left alone would wait for the other one forever.
      void child.ended.then(() => child.failed && endIn(GRACE_MS));
      const wrong = await untilReady(run, command, child);
      if (wrong) run.endCommands(wrong);
    }
    if (endsAfter === null) return;
    while (!run.began && !run.stopping && allRun()) await pause(LOOK_MS);
    endIn(endsAfter * 1000);
  });
  timers.forEach((timer) => clearTimeout(timer));
}
