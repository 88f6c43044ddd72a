import { writeFileSync } from 'node:fs';
import { errorInfo, isFinal, type Check } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { ProgramRun } from '../runs/program-run.js';
import { driven } from '../tools/driven.js';
import { ToolProcess } from '../tools/tool-process.js';
import type { Compiled } from './compiled.js';
import { programLauncher } from './confinement.js';
import type { ProgramFolder } from './folder.js';
import type { ProgramLimits } from './limits.js';
import { readVerdict, stoppedBy, triedBy } from './verdict.js';

export interface DriveOptions {
  run: ProgramRun;
  compiled: Compiled;
  folder: ProgramFolder;
  limits: ProgramLimits;
  /** Data folder of the agent. */
  home: string;
  logger: Logger;
  /** What the task’s checker finds, once the program has ended or was stopped. */
  checks: (stopped: boolean) => Check[];
}

/** Runs the program, then checks what the device saw of it, and lets the run end. Never rejects. */
export async function drive({
  run,
  compiled,
  folder,
  limits,
  home,
  logger,
  checks,
}: DriveOptions): Promise<void> {
  await driven(run, logger, async () => {
    const confine = `${folder.verdict}.launcher`;
    writeFileSync(confine, JSON.stringify(programLauncher(folder, compiled.reads, limits)));
    const child = new ToolProcess({ home, runId: run.id, link: 'auto', command: compiled.command, confine });
    await Promise.race([child.ended, run.finished]);
    if (child.end === null) child.terminate();
    await child.ended;
    if (isFinal(run.record.state)) return;
    const verdict = readVerdict(folder.verdict);
    const tried = triedBy(verdict);
    if (tried !== null) run.log('warn', tried);
    const stopped = stoppedBy(verdict);
    if (stopped) run.stopped(stopped);
    if (run.began) run.checked(checks(stopped !== null));
    const notStarted = run.began
      ? null
      : errorInfo('INTERNAL', { detail: 'verbslab exec did not start the program' }, child.said);
    run.release(notStarted);
  });
  folder.remove();
}
