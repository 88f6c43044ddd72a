'use client';
import {
  FEW_CPUS,
  ID_FORM,
  isFinal,
  isProgram,
  PROGRAM_VIEW,
  workbenchOf,
  type LabDescription,
} from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useEffect, type ReactNode } from 'react';
import { useOwnCrumb } from '../frame/crumb-store';
import { Absent, useAbsent } from '../connection/absent';
import { infoToFailure } from '../connection/failure';
import type { RunSession } from '../connection/run-sessions';
import type { RunView } from '../connection/run-view';
import { useAgent } from '../connection/store';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote } from '../ui/states';
import { FaultsSection } from './faults/section';
import { MeasureBody, PanelGrid } from './measure-body';
import { PROGRAM_PANELS } from './panel-list';
import { Replaying } from '../connection/replaying';
import { RunHeader } from './run-header';
import { RunResults } from './run-results';
import { RunSkeleton } from './run-skeleton';
import { StepBody } from './step-body';
import { TimelineSection } from './timeline-section';
import { TransportNames } from '../parts/charts/transport-names';
import type { Topic } from '../model/run-model';
import { useMovedPacket } from './use-moved-packet';
import { useRunSession, useTopics } from '../connection/use-session';

/** A program of the workbench also has points. */
const WORKBENCH: LabDescription = { ...PROGRAM_VIEW, watch: PROGRAM_PANELS.map(({ id }) => id) };
const PROGRAM: LabDescription = { ...WORKBENCH, watch: WORKBENCH.watch.filter((id) => id !== 'points') };

const STATE: readonly Topic[] = ['state'];

interface RunPageProps {
  notes: (view: RunView) => ReactNode;
}

/** `/runs/view?id=…`: one run, live or from the record; both come through the same stream. */
export function RunPage({ notes }: RunPageProps) {
  const id = useSearchParams().get('id');
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
  return <OpenRun key={id} session={session} notes={notes} />;
}

function OpenRun({ session, notes }: RunPageProps & { session: RunSession }) {
  const view = session.view!;
  const record = view.model.record;
  const program = isProgram(record);
  const known = useAgent((s) => s.labs.find((l) => l.id === record.lab)) ?? null;
  const lab = program ? (workbenchOf(record) ? WORKBENCH : PROGRAM) : known;
  useOwnCrumb(`Run ${record.number}`, `Run ${record.number}: ${record.title}`);
  const fewCpus = useAgent((s) => s.agent !== null && s.agent.cpus <= FEW_CPUS);
  useTopics(view, STATE);
  useMovedPacket(session);
  const sparing = fewCpus && !lab?.steps && !isFinal(record.state);
  useEffect(() => view.setSparing(sparing), [view, sparing]);
  const replaying = isFinal(record.state) && session.state !== 'complete';
  return (
    <TransportNames view={view}>
      <Replaying value={replaying}>
        <RunHeader session={session} lab={lab} />
        <FaultsSection view={view} />
        {notes(view)}
        {program ? null : <RunResults view={view} lab={lab} />}
        {program ? (
          <PanelGrid session={session} lab={lab} layoutName="program" all={PROGRAM_PANELS} />
        ) : lab?.steps ? (
          <StepBody session={session} lab={lab} />
        ) : (
          <MeasureBody session={session} lab={lab} />
        )}
        <TimelineSection session={session} lab={lab} />
      </Replaying>
    </TransportNames>
  );
}
