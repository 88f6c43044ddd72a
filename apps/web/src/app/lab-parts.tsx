'use client';
import { lazyPart } from '../connection/lazy-part';
import { LabExplanations } from '../explanations/lab-explanations';
import type { LabParts } from '../labs/view/parts';
import { NotesSection } from '../notebook/notes-section';
import { LabEvidence } from '../run/lab-evidence';
import { LabLimits } from '../run/lab-limits';
import { LabLine } from '../run/lab-line';
import { RunActions } from '../run/run-actions';
import { RunFrame } from '../run/run-frame';
import { StatusLine } from '../run/status-line';
import { StepCalls, StepLadder } from '../run/step-evidence';
import { TransportBars } from '../run/transport-bars';
import { SweepForm } from '../sweeps/sweep-form';

/** Few labs have steps. */
const LateSteps: LabParts['Steps'] = lazyPart(async () => (await import('../run/steps/step-body')).StepBody);

/** A table under a closed fold. */
const LateFigures: LabParts['Figures'] = lazyPart(
  async () => (await import('../run/figures-table')).FiguresTable,
);

/** Only the lab on the states of a QP has this picture. */
const LateStates: LabParts['States'] = lazyPart(
  async () => (await import('../explanations/states/states-picture')).StatesPicture,
);

/** What the page of a lab shows of other pages: its run, notes on it, sweeps, and explanations. */
export const LAB_PARTS: LabParts = {
  Frame: RunFrame,
  Actions: RunActions,
  Line: LabLine,
  Status: StatusLine,
  Limits: LabLimits,
  Steps: LateSteps,
  Calls: StepCalls,
  Packets: StepLadder,
  Bars: TransportBars,
  Figures: LateFigures,
  Evidence: LabEvidence,
  Notes: NotesSection,
  Sweep: SweepForm,
  Explanations: LabExplanations,
  States: LateStates,
};
