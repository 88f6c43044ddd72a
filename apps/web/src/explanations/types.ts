import type { LabResults, ResultSpecs, RunRecord } from '@verbslab/protocol';
import type { Controls } from './use-controls';

/** The run that an explanation is about. */
export interface ExplainedRun {
  record: RunRecord;
  results: LabResults;
}

/** What an explanation computed from a run and its controls, and how that is named. */
export interface Explained {
  /** Of the explanation. */
  id: string;
  using: Controls;
  specs: ResultSpecs;
  found: LabResults;
}
