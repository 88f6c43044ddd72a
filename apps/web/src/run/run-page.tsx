'use client';
import {
  ID_FORM,
  isProgram,
  isSimulation,
  PROGRAM_VIEW,
  workbenchOf,
  type LabDescription,
} from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import type { ComponentType, ReactNode } from 'react';
import { useOwnCrumb } from '../frame/crumb-store';
import { Absent, useAbsent } from '../connection/absent';
import { infoToFailure } from '../connection/failure';
import { lazyPart } from '../connection/lazy-part';
import type { RunSession } from '../connection/run-sessions';
import type { RunView } from '../connection/run-view';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote } from '../ui/states';
import { FaultsSection } from './faults/section';
import { PanelGrid } from './panel-grid';
import { PROGRAM_PANELS } from './panel-list';
import { RunFrame } from './run-frame';
import { RunHeader } from './run-header';
import { RunSkeleton } from './run-skeleton';
import type { SimulationRunProps } from './simulation-run';
import { TimelineSection } from './timeline-section';
import { useRunSession, useTopics } from '../connection/use-session';
import type { Topic } from '../model/run-model';

const SimulationRun = lazyPart<SimulationRunProps>(
  async () => (await import('./simulation-run')).SimulationRun,
  RunSkeleton,
);

/** A program of the workbench also has points. */
const WORKBENCH: LabDescription = { ...PROGRAM_VIEW, watch: PROGRAM_PANELS.map(({ id }) => id) };
const PROGRAM: LabDescription = { ...WORKBENCH, watch: WORKBENCH.watch.filter((id) => id !== 'points') };

interface RunPageProps {
  notes: (view: RunView) => ReactNode;
  /** The page of a lab after its run. */
  Lab: ComponentType<{ session: RunSession }>;
}

/** `/runs/view?id=…`: one run, live or from the record; both come through the same stream. */
export function RunPage(props: RunPageProps) {
  const query = useSearchParams();
  return <RunOf id={query.get('id')} alone={query.has('alone')} {...props} />;
}

/** `alone`: a part of a joined run stays by itself. */
function RunOf({ id, alone, ...props }: RunPageProps & { id: string | null; alone: boolean }) {
  const wellFormed = id !== null && ID_FORM.test(id);
  const session = useRunSession(wellFormed ? id : null);
  const absent = useAbsent();
  if (!wellFormed) {
    return (
      <FailureNote
        failure={{
          what: id ? `There is no run “${id}”.` : 'The address contains no run ID.',
          why: id ? 'A run ID has ten letters and digits; the address may have been cut off.' : undefined,
          cure: 'Choose one from the list.',
        }}
        action={
          <PageLink href="/runs" className={buttonStyle()}>
            All runs
          </PageLink>
        }
      />
    );
  }
  if (session?.state === 'failed' && session.error) {
    return (
      <FailureNote
        failure={infoToFailure(session.error.info)}
        action={
          <PageLink href="/runs" className={buttonStyle()}>
            All runs
          </PageLink>
        }
      />
    );
  }
  if (!session?.view) return absent ? <Absent what="The run is shown here" /> : <RunSkeleton />;
  // A run of another id is another page: nothing of the old one may stay.
  return <OpenRun key={id} session={session} alone={alone} {...props} />;
}

const RECORD: readonly Topic[] = ['record'];

function OpenRun({ session, alone, ...props }: RunPageProps & { session: RunSession; alone: boolean }) {
  const view = session.view!;
  // A run may become a part of a joined one while it is open.
  useTopics(view, RECORD);
  const { partOf } = view.model.record;
  return partOf && !alone ? (
    <RunOf key={partOf.id} id={partOf.id} alone {...props} />
  ) : (
    <ShownRun session={session} {...props} />
  );
}

function ShownRun({ session, notes, Lab }: RunPageProps & { session: RunSession }) {
  const { record } = session.view!.model;
  useOwnCrumb(`Run ${record.number}`, `Run ${record.number}: ${record.title}`);
  if (isSimulation(record)) return <SimulationRun session={session} notes={notes} />;
  return isProgram(record) ? <ProgramRun session={session} notes={notes} /> : <Lab session={session} />;
}

function ProgramRun({ session, notes }: Omit<RunPageProps, 'Lab'> & { session: RunSession }) {
  const view = session.view!;
  const lab = workbenchOf(view.model.record) ? WORKBENCH : PROGRAM;
  return (
    <RunFrame session={session} stepped={false}>
      <RunHeader session={session} />
      <FaultsSection view={view} />
      {notes(view)}
      <PanelGrid session={session} lab={lab} layoutName="program" all={PROGRAM_PANELS} />
      <TimelineSection session={session} lab={lab} />
    </RunFrame>
  );
}
