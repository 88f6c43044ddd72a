import { isFinal, isProgram, type RunRow } from '@verbslab/protocol';

/** True if a run can be joined with another one. */
export const joinable = (run: RunRow): boolean =>
  isProgram(run) && isFinal(run.state) && !run.imported && !run.partOf;
