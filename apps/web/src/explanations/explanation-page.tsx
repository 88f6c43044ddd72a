'use client';
import { noResults, type RunRow } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useMemo, type ReactNode } from 'react';
import { usePageHandle } from '../actions/page-store';
import { useAgent } from '../connection/store';
import { useRecord } from '../connection/use-record';
import { useOwnCrumb } from '../frame/crumb-store';
import { useResultTables } from '../parts/results/tables-store';
import { Gloss } from '../ui/gloss';
import { PageLink } from '../ui/page-link';
import { FailureNote, Skeleton } from '../ui/states';
import { BODIES } from './bodies';
import { FillRun } from './fill-run';
import { findExplanation } from './list';
import { RunChoice, SAMPLE } from './run-choice';
import { SampleLine } from './sample-line';
import { SAMPLED } from './samples';
import { useFittingRuns } from './use-fitting-runs';
import { useSample } from './use-sample';

/** An explanation: its question, its run, and what it computes from the run. */
export function ExplanationPage({ id, labTitle }: { id: string; labTitle: string }) {
  const explanation = findExplanation(id)!;
  const { lab, title, question, text } = explanation;
  useOwnCrumb(title, title);
  const toggleTables = useResultTables((s) => s.toggle);
  usePageHandle(useMemo(() => ({ 'toggle-tables': toggleTables }), [toggleTables]));
  const runs = useFittingRuns(explanation);
  const lost = useAgent((s) => s.status === 'lost');
  const named = useSearchParams().get('run');
  const sampled = SAMPLED.includes(id);
  const asked = sampled && named === SAMPLE;
  const chosen = asked ? null : (runs?.find((run) => run.id === named) ?? runs?.[0] ?? null);
  const waiting = runs === null && !(sampled && lost);
  const empty = chosen === null && !sampled;
  const first = runs === null || runs.length === 0;
  const fill = <FillRun explanation={explanation} labTitle={labTitle} empty={empty} first={first} />;
  return (
    <ExplanationFrame title={title} question={question} text={text} lab={lab} labTitle={labTitle}>
      {waiting ? (
        <Waiting />
      ) : empty ? (
        fill
      ) : (
        <div className="space-y-8" data-run={chosen?.id ?? SAMPLE}>
          {first ? null : (
            <RunChoice runs={runs} chosen={chosen} sampled={sampled}>
              {fill}
            </RunChoice>
          )}
          {chosen ? (
            <Body key={chosen.id} id={id} row={chosen} />
          ) : (
            <Sample id={id}>{first ? fill : null}</Sample>
          )}
        </div>
      )}
    </ExplanationFrame>
  );
}

function Body({ id, row }: { id: string; row: RunRow }) {
  const Part = BODIES[id]!;
  const { record, failure } = useRecord(row);
  const run = useMemo(() => record && { record, results: record.result?.results ?? noResults() }, [record]);
  if (run) return <Part run={run} />;
  return failure ? <FailureNote failure={failure} /> : <Waiting />;
}

/** The recorded sample, until a run of the reader fits. `children`: the action that makes one. */
function Sample({ id, children }: { id: string; children: ReactNode }) {
  const Part = BODIES[id]!;
  const { run, failure } = useSample(id);
  return (
    <>
      <SampleLine run={run}>{children}</SampleLine>
      {run ? <Part run={run} /> : failure ? <FailureNote failure={failure} /> : <Waiting />}
    </>
  );
}

/** Title, question and text of an explanation: everything that needs no run. */
export function ExplanationFrame(props: {
  title: string;
  question: string;
  text: string;
  lab: string;
  labTitle: string;
  children: ReactNode;
}) {
  const { title, question, text, lab, labTitle, children } = props;
  return (
    <article className="max-w-[72rem]">
      <p className="text-13 text-ink-3">{title}</p>
      <h1 className="max-w-[34ch] text-28 font-semibold text-balance">{question}</h1>
      <p className="prose mt-3 mb-6 text-ink-2">
        <Gloss>{text}</Gloss> The lab behind it:{' '}
        <PageLink href={`/labs/${lab}`} className="text-accent underline underline-offset-4">
          {labTitle}
        </PageLink>
        .
      </p>
      {children}
    </article>
  );
}

/** Skeleton in the final shape, until the list of runs is loaded. */
export function Waiting() {
  const lost = useAgent((s) => s.status === 'lost');
  return lost ? (
    <p className="text-ink-2">Waiting for the agent.</p>
  ) : (
    <div className="space-y-4" aria-busy>
      <Skeleton className="h-9 w-full max-w-[40rem]" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
