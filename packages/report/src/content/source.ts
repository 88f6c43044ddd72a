import type { LabDescription, RunNote, RunRecord } from '@verbslab/protocol';
import type { MeasuredRun } from '@verbslab/charts/data';
import type { Evidence } from '../failure/evidence.js';

/** All that a report of a run is made from. */
export interface ReportSource {
  run: RunRecord;
  /** Its lab as this version has it; null for programs and for labs of another version. */
  lab: LabDescription | null;
  notes: readonly RunNote[];
  measured: MeasuredRun;
  evidence: Evidence;
  /** Name of the host that writes the report: `local` in runs that it recorded. */
  host: string;
  /** Of Verbs Lab, which writes the report. */
  version: string;
  /** When it is written, milliseconds since 1970. */
  at: number;
}
