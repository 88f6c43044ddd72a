import { writeFileSync } from 'node:fs';
import type { Check } from '@verbslab/protocol';
import { driven, type Driven } from '../tools/driven.js';
import type { Compiled } from './compiled.js';
import { programLauncher } from './confinement.js';
import type { ProgramFolder } from './folder.js';
import type { ProgramLimits } from './limits.js';
import { readVerdict, stoppedBy, triedBy } from './verdict.js';

export interface DriveOptions extends Driven {
  compiled: Compiled;
  folder: ProgramFolder;
  limits: ProgramLimits;
  /** Returns the findings of the task’s checker, once the program has ended or was stopped. */
  checks: (stopped: boolean) => Check[];
}

/** Runs the program, checks the device's record of it, and lets the run end. Never rejects. */
export async function drive({ compiled, folder, limits, checks, ...of }: DriveOptions): Promise<void> {
  const { run } = of;
  await driven(
    of,
    (start) => {
      const confine = `${folder.verdict}.launcher`;
      writeFileSync(confine, JSON.stringify(programLauncher(folder, compiled.reads, limits)));
      start({ link: 'auto', command: compiled.command, confine });
    },
    () => {
      const verdict = readVerdict(folder.verdict);
      const tried = triedBy(verdict);
      if (tried !== null) run.log('warn', tried);
      const stopped = stoppedBy(verdict);
      if (stopped) run.stopped(stopped);
      if (run.began) run.checked(checks(stopped !== null));
    },
  );
  folder.remove();
}
