/** A sweep as a file for other programs: what was asked, every run with its figures, and the curves made of them. */
import type { LabDescription, Measurement, SweepRecord } from '@verbslab/protocol';
import { KNEE_RULE, sweepCurves, type SweepCurve } from './sweep-curve.js';

export interface SweepExport {
  sweep: SweepRecord;
  curves: SweepCurve[];
  kneeRule: string;
  measurements: readonly Measurement[];
}

export const sweepExport = (
  sweep: SweepRecord,
  measurements: readonly Measurement[],
  lab: LabDescription | undefined,
): SweepExport => ({
  sweep,
  curves: sweepCurves(sweep.plan, measurements, lab),
  kneeRule: KNEE_RULE,
  measurements,
});
