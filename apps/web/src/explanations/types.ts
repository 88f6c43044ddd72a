import type { LabResults, ResultSpecs, RunRecord } from '@verbslab/protocol';
import type { Controls } from './use-controls';

/** The run that an explanation uses: one of the reader, or the recorded sample that ships with the page. */
export interface ExplainedRun {
  record: RunRecord;
  results: LabResults;
  /** Only of the sample: what `npm run explanation-samples` derived from its stream, which no agent has. */
  sample?: { derived: unknown };
}

/** Values that an explanation computed from a run and its controls, with their specs. */
export interface Explained {
  /** Id of the explanation. */
  id: string;
  using: Controls;
  specs: ResultSpecs;
  found: LabResults;
}
