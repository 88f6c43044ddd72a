import { isFinal, isProgram, type RunRecord } from '@verbslab/protocol';

/** Whether a run can be joined with another one at all. */
export const joinable = (run: RunRecord): boolean =>
  isProgram(run) && isFinal(run.state) && !run.imported && !run.partOf;
