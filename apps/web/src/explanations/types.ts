import type { LabResults, ResultSpecs, RunRecord } from '@verbslab/protocol';
import type { Controls } from './use-controls';

/** The run that an explanation uses. */
export interface ExplainedRun {
  record: RunRecord;
  results: LabResults;
}

/** Values that an explanation computed from a run and its controls, with their specs. */
export interface Explained {
  /** Id of the explanation. */
  id: string;
  using: Controls;
  specs: ResultSpecs;
  found: LabResults;
}
