import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCommand } from '@verbslab/labs/tools';
import { errorInfo, isFinal, type ErrorInfo } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { ProgramRun } from '../runs/program-run.js';
import { driven } from './driven.js';
import { isReady } from './ready.js';
import { ToolProcess } from './tool-process.js';

/** A server that has not listened by then will not. Devices start slowly on a busy machine. */
const READY_S = 20;
const LOOK_MS = 10;
/** What one end still does after the other one failed. */
const GRACE_MS = 3_000;

export interface DriveOptions {
  run: ProgramRun;
  commands: readonly ToolCommand[];
  home: string;
  link: string;
  /** Seconds after which the programs are ended as intended. */
  endsAfter: number | null;
  /** Seconds after which they are ended as too slow. */
  limit: number;
  logger: Logger;
}

const failed = ({ end }: ToolProcess): boolean => end !== null && (end.signal !== null || end.code !== 0);

/** Waits until the command can be reached. Gives what went wrong; null also where the command or the run has ended. */
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

/** Starts the commands in their order, ends what is left over, and lets the run end. Never rejects. */
export async function drive({ run, limit, logger, ...options }: DriveOptions): Promise<void> {
  const children: ToolProcess[] = [];
  const timers = [
    setTimeout(() => run.endCommands(errorInfo('TOOL_TIME', { seconds: limit })), limit * 1000),
  ];
  try {
    await driven(run, logger, () => drivePrograms(run, options, { children, timers }));
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
    for (const child of children) if (child.end === null) child.terminate();
  }
}

async function drivePrograms(
  run: ProgramRun,
  { commands, home, link, endsAfter }: Pick<DriveOptions, 'commands' | 'home' | 'link' | 'endsAfter'>,
  { children, timers }: { children: ToolProcess[]; timers: NodeJS.Timeout[] },
): Promise<void> {
  const give = (error: ErrorInfo | null): void => run.endCommands(error);
  for (const command of commands) {
    if (run.stopping || children.some((child) => child.end !== null)) break;
    const child = new ToolProcess({ home, runId: run.id, link, command: command.command });
    children.push(child);
    // One end alone would wait for the other for ever.
    void child.ended.then(() => {
      if (failed(child)) timers.push(setTimeout(() => give(null), GRACE_MS));
    });
    const wrong = await untilReady(run, command, child);
    if (wrong) give(wrong);
  }
  if (endsAfter !== null) {
    while (!run.began && !run.stopping && children.every(({ end }) => end === null)) await pause(LOOK_MS);
    timers.push(setTimeout(() => give(null), endsAfter * 1000));
  }
  const over = run.finished.then(() => children.forEach((child) => child.end === null && child.terminate()));
  await Promise.race([Promise.all(children.map(({ ended }) => ended)), over]);
  if (!isFinal(run.record.state)) run.release(notStarted(run, children));
}

/** Why no command of the run began: `exec` itself said so. */
function notStarted(run: ProgramRun, children: readonly ToolProcess[]): ErrorInfo | null {
  const [first] = children;
  if (run.began || !first || !failed(first)) return null;
  return errorInfo('INTERNAL', { detail: 'verbslab exec did not start the program' }, first.said);
}
