import { isFinal, toErrorInfo } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { ProgramRun } from '../runs/program-run.js';

/**
 * Lets `body` drive a run that the agent started programs for, and makes sure that the run ends with its error when it fails:
 * a run that nothing drives would keep the devices busy for ever. Never rejects.
 */
export async function driven(run: ProgramRun, logger: Logger, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    logger.error({ run: run.id, err: error }, 'the programs of a run could not be driven');
    if (!isFinal(run.record.state)) run.release(toErrorInfo(error));
  }
}
