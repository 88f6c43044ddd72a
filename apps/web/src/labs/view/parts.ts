import type { LabDescription } from '@verbslab/protocol';
import type { ComponentType, ReactNode } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import type { RunView } from '../../connection/run-view';
import type { StepLog } from '../../model/step-log';
import type { LabForm } from '../../parts/forms/use-lab-form';

interface SessionProps {
  session: RunSession;
}

/** Parts of a lab's page that other pages have as well. The route puts them together. */
export interface LabParts {
  /** Around everything about a run. */
  Frame: ComponentType<{ session: RunSession | null; stepped: boolean; children: ReactNode }>;
  /** Buttons for the run as a whole. */
  Actions: ComponentType<SessionProps & { freezable: boolean }>;
  /** Number, state, time and place of the run. */
  Line: ComponentType<SessionProps>;
  /** Progress of a run that has not ended. */
  Status: ComponentType<SessionProps>;
  /** Limits of its figures, and where it comes from. `known`: the lab is one of this agent. */
  Limits: ComponentType<SessionProps & { lab: LabDescription; known: boolean }>;
  /** Steps of a lab that has them. */
  Steps: ComponentType<SessionProps & { lab: LabDescription }>;
  /** Calls of a step, and its packets as a ladder. */
  Calls: ComponentType<{ lab: LabDescription; step: StepLog }>;
  Packets: ComponentType<{ view: RunView; lab: LabDescription; step: StepLog }>;
  /** Figures of transports as bars, and as a table. */
  Bars: ComponentType<{ view: RunView }>;
  Figures: ComponentType<{ view: RunView }>;
  /** Panels, timeline and injected faults. */
  Evidence: ComponentType<SessionProps & { lab: LabDescription }>;
  /** `row`: one of several rows of the page. */
  Notes: ComponentType<{ view: RunView; row: boolean }>;
  /** The form of a sweep over the parameters. */
  Sweep: ComponentType<{ lab: LabDescription; form: LabForm; ready: boolean }>;
  Explanations: ComponentType<{ lab: string }>;
  /** The graph of the states of a QP. `view`: of a run that has ended; null for the sample. */
  States: ComponentType<{ view: RunView | null }>;
}
