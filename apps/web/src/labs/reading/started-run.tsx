'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import { infoToFailure } from '../../connection/failure';
import { LabResultsView } from '../../parts/results/lab-results';
import type { Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import { FailureNote, Skeleton } from '../../ui/states';
import { RunLine } from './run-line';
import type { ReadRun } from '../../parts/text/live';

const TOPICS: readonly Topic[] = ['results', 'record', 'state'];

/** The run that was started on this page: its progress, its results as they arrive, and the text at its end. */
export function StartedRun(props: {
  session: RunSession | null;
  lab: LabDescription;
  /** Content below the results: the text of the lab, filled with the run once it has ended. */
  children: (run: ReadRun | null) => ReactNode;
}) {
  const { session, lab, children } = props;
  if (session?.state === 'failed' && session.error)
    return (
      <>
        <FailureNote failure={infoToFailure(session.error.info)} />
        {children(null)}
      </>
    );
  if (!session?.view)
    return (
      <>
        <Skeleton className="h-24 w-full" />
        {children(null)}
      </>
    );
  return (
    <Followed view={session.view} lab={lab}>
      {children}
    </Followed>
  );
}

function Followed(props: {
  view: NonNullable<RunSession['view']>;
  lab: LabDescription;
  children: (run: ReadRun | null) => ReactNode;
}) {
  const { view, lab, children } = props;
  useTopics(view, TOPICS, 'chart');
  const { record, results } = view.model;
  const over = isFinal(record.state);
  return (
    <>
      <RunLine record={record} lab={lab} />
      {over && record.error && record.state !== 'cancelled' ? (
        <FailureNote failure={infoToFailure(record.error)} className="mb-4" />
      ) : null}
      <LabResultsView lab={lab} results={results} record={record} />
      {children(over ? { record, results } : null)}
    </>
  );
}
