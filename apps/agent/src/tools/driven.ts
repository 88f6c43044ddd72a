import { errorInfo, isFinal, toErrorInfo } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { ProgramRun } from '../runs/program-run.js';
import { ToolProcess, type ToolProcessOptions } from './tool-process.js';

export interface Driven {
  run: ProgramRun;
  /** Data folder of the agent. */
  home: string;
  logger: Logger;
}

type Starts = (options: Omit<ToolProcessOptions, 'home' | 'runId'>) => ToolProcess;

/**
 * Drives a run of programs that the agent starts: `body` starts them, which makes them `children`, and `ended` is
 * called once all have ended and the run has not. Ends the remaining programs, then the run, also on a failure: a run
 * without a driver would keep the devices busy forever. Never rejects.
 */
export async function driven(
  { run, home, logger }: Driven,
  body: (start: Starts, children: readonly ToolProcess[]) => Promise<void> | void,
  ended: () => void = () => undefined,
): Promise<void> {
  const children: ToolProcess[] = [];
  const allEnded = () => Promise.all(children.map((child) => child.ended));
  const terminate = () => children.forEach((child) => child.end === null && child.terminate());
  try {
    await body((options) => {
      const child = new ToolProcess({ home, runId: run.id, ...options });
      children.push(child);
      return child;
    }, children);
    await Promise.race([allEnded(), run.finished]);
    terminate();
    await allEnded();
    if (isFinal(run.record.state)) return;
    ended();
    run.release(notStarted(run, children[0]));
  } catch (error) {
    terminate();
    logger.error({ run: run.id, err: error }, 'the programs of a run could not be driven');
    if (!isFinal(run.record.state)) run.release(toErrorInfo(error));
  }
}

/** The error if no command of the run began, with the output of `exec`; else null. */
const notStarted = ({ began }: ProgramRun, first: ToolProcess | undefined) =>
  began || !first?.failed
    ? null
    : errorInfo('INTERNAL', { detail: 'verbslab exec did not start the program' }, first.said);
