import type { LabDescription, RunNote, RunRecord, Simulation } from '@verbslab/protocol';
import type { LatencySnapshot, MeasuredRun } from '@verbslab/charts/data';
import type { Evidence } from '../failure/evidence.js';

/** Sources of a report. */
export interface ReportSource {
  run: RunRecord;
  /** The run's lab in this version; null for programs and for labs of another version. */
  lab: LabDescription | null;
  notes: readonly RunNote[];
  measured: MeasuredRun;
  /** Latencies of the requests of a program; null for a lab, whose loops measure them. */
  requests: LatencySnapshot | null;
  /** What the fabric simulator said, in the order of its simulations. */
  simulations: readonly Simulation[];
  evidence: Evidence;
  /** Name of the host that writes the report. Runs that it recorded call it `local`. */
  host: string;
  /** Version of Verbs Lab, which writes the report. */
  version: string;
  /** Time of the report, ms since 1970. */
  at: number;
}
