import { isFinal, isProgram, type RunRow } from '@verbslab/protocol';

/** Whether a run can be joined with another one at all. */
export const joinable = (run: RunRow): boolean =>
  isProgram(run) && isFinal(run.state) && !run.imported && !run.partOf;
