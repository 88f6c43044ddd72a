'use client';
import type { CategoryId, ClinicCase } from '@verbslab/labs';
import { isFinal, type LabDescription, type Row } from '@verbslab/protocol';
import { Play } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { runHref } from '../../addresses';
import { usePageHandle } from '../../actions/page-store';
import { infoToFailure } from '../../connection/failure';
import type { RunView } from '../../connection/run-view';
import type { RunSession } from '../../connection/run-sessions';
import { useRunStart } from '../../connection/use-run-start';
import { useRunSession, useTopics } from '../../connection/use-session';
import type { Topic } from '../../model/run-model';
import { StartFailure } from '../../parts/run/start-failure';
import { Button } from '../../ui/button';
import { Gloss } from '../../ui/gloss';
import { Kbd } from '../../ui/kbd';
import { PageLink } from '../../ui/page-link';
import { FailureNote, Skeleton } from '../../ui/states';
import { Further, Goals } from '../reading/lab-reading';
import type { LabReading } from '../reading/reading-of';
import type { LabParts } from '../view/parts';
import { RunPicture } from '../view/run-picture';
import { Diagnosed, DiagnosisForm } from './diagnosis';
import { Evidence } from './evidence';
import { answersInOrder, pointsFor, type EvidenceId, type Solved } from './game';
import { ScoreByCategory, ScoreLine } from './score';
import { useScore } from './score-store';
import { Symptom } from './symptom';

export interface ClinicPageProps {
  lab: LabDescription;
  reading: LabReading;
  cases: readonly ClinicCase[];
  categories: readonly { id: CategoryId; title: string }[];
  parts: LabParts;
}

/** `/labs/clinic`: a program with one mistake, its evidence, and a diagnosis. One screen for each case. */
export function ClinicPage(props: ClinicPageProps) {
  const { lab, reading, cases, categories } = props;
  const { seed, solved, loaded, load, to } = useScore();
  useEffect(load, [load]);
  const [runId, setRunId] = useState<string | null>(null);
  const { connected, starting, failure, start } = useRunStart(setRunId);
  const session = useRunSession(runId);
  const ready = connected && !starting;
  const begin = useCallback(
    (next: number) => {
      to(next);
      // The record holds the diagnosis, and the page keeps it back until there is an answer.
      void start({ lab: lab.id, params: { seed: next, reveal: true }, mode: 'all' });
    },
    [lab.id, to, start],
  );
  const first = useMemo(() => (ready ? () => begin(seed) : null), [ready, begin, seed]);
  const next = useMemo(() => (ready ? () => begin(seed + 1) : null), [ready, begin, seed]);
  return (
    <article className="max-w-[100rem]" data-lab={lab.id}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-20 font-semibold" data-words>
          Case <span className="num">{loaded ? seed : ''}</span>: which mistake is it?
        </h1>
        <ScoreLine solved={solved} />
      </header>
      {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
      {runId === null ? (
        <>
          <Before lab={lab} starting={starting} connected={connected} onStart={first} />
          <ScoreByCategory cases={cases} categories={categories} solved={solved} />
        </>
      ) : (
        <Case key={runId} {...props} session={session} next={next} seed={seed} />
      )}
      <div className="mt-6">
        <Goals lab={lab} reading={reading} run={null} />
        <Further lab={lab} reading={reading} run={null} />
      </div>
    </article>
  );
}

/** The form of the lab: its parameters name every failure. */
const CHOSEN_BY_NAME = '/labs/clinic?reveal=true';

function Before(props: {
  lab: LabDescription;
  starting: boolean;
  connected: boolean;
  onStart: (() => void) | null;
}) {
  const { lab, starting, connected, onStart } = props;
  usePageHandle(useMemo(() => (onStart ? { 'run-lab': onStart } : {}), [onStart]));
  return (
    <div className="mt-3">
      <p className="max-w-[80ch] text-ink-2">
        <Gloss>{lab.summary}</Gloss>
      </p>
      <div className="mt-4 flex items-center gap-3">
        <Button kind="primary" disabled={onStart === null} onClick={onStart ?? undefined}>
          <Play size={14} aria-hidden />
          Run the program
        </Button>
        <span className="text-13 text-ink-2">
          {starting ? 'Starting…' : connected ? <Kbd keys="r" /> : 'Waiting for the agent.'}
        </span>
        <PageLink href={CHOSEN_BY_NAME} className="text-13 text-accent underline underline-offset-4">
          Choose a failure by name
        </PageLink>
      </div>
    </div>
  );
}

interface CaseProps extends ClinicPageProps {
  session: RunSession | null;
  seed: number;
  /** Starts the next case; null while that is impossible. */
  next: (() => void) | null;
}

function Case(props: CaseProps) {
  const { session } = props;
  if (session?.state === 'failed' && session.error)
    return <FailureNote failure={infoToFailure(session.error.info)} className="mt-4" />;
  if (!session?.view) return <Running />;
  return <FollowedCase {...props} session={session} view={session.view} />;
}

const TOPICS: readonly Topic[] = ['results', 'record', 'state'];

function FollowedCase(props: CaseProps & { session: RunSession; view: RunView }) {
  const { session, view, next } = props;
  useTopics(view, TOPICS);
  const { record, results } = view.model;
  if (!isFinal(record.state) || session.state !== 'complete') return <Running />;
  const one = props.cases.find(({ id }) => id === results.outcomes.diagnosis);
  const row = (results.tables.symptoms ?? []).find(({ version }) => version === 'With the mistake');
  if (!one || !row)
    return (
      <FailureNote
        failure={
          record.error
            ? infoToFailure(record.error)
            : { what: 'This run shows no symptoms.', why: record.result?.answer, cure: 'Try another case.' }
        }
        action={
          next ? (
            <Button kind="primary" onClick={next}>
              Next case
            </Button>
          ) : null
        }
        className="mt-4"
      />
    );
  return <OpenCase {...props} one={one} row={row} />;
}

function Running() {
  return (
    <div aria-busy className="mt-4 max-w-[46rem] space-y-3" role="status">
      <p className="text-ink-2">The program runs, with its mistake and without.</p>
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}

function OpenCase(
  props: CaseProps & {
    session: RunSession;
    view: RunView;
    one: ClinicCase;
    row: Row;
  },
) {
  const { session, view, lab, cases, categories, parts, seed, next, one, row } = props;
  const { solved: all, finish } = useScore();
  const [opened, setOpened] = useState<ReadonlySet<EvidenceId>>(new Set());
  const [chosen, setChosen] = useState<EvidenceId | null>(null);
  const [given, setGiven] = useState<{ solved: Solved; wrong: string | null } | null>(null);
  const answers = useMemo(
    () => answersInOrder(one.answers, seed).flatMap((id) => cases.find((each) => each.id === id) ?? []),
    [one, seed, cases],
  );
  const answer = (id: string | null): void => {
    const right = id === one.id;
    const solved = { case: one.id, right, points: pointsFor(right, opened.size) };
    finish(solved);
    setGiven({ solved, wrong: right ? null : (cases.find((each) => each.id === id)?.name ?? null) });
    setChosen(null);
  };
  usePageHandle(useMemo(() => (given && next ? { 'next-step': next, 'run-lab': next } : {}), [given, next]));
  return (
    <div className="mt-3 grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="min-w-0">
        <Symptom row={row} one={one} />
        <Evidence
          {...{ view, lab, row, parts, opened, chosen }}
          results={view.model.results}
          free={given !== null}
          onOpen={(id) => {
            if (given === null) setOpened((old) => new Set(old).add(id));
            setChosen((old) => (old === id ? null : id));
          }}
        />
        {/* Where a call was refused, the request on the picture would be one of the program without the mistake. */}
        {given && chosen === null && row.errno === 'none' ? (
          <div className="mt-4">
            <RunPicture session={session} about={null} sample={null} />
          </div>
        ) : null}
      </div>
      <div>
        {given ? (
          <Diagnosed
            {...given}
            one={one}
            results={view.model.results}
            next={
              <div className="mt-3 flex flex-wrap items-center gap-2">
                <Button kind="primary" disabled={next === null} onClick={next ?? undefined}>
                  Next case
                </Button>
                <Kbd keys="n" />
                <PageLink
                  href={runHref(view.model.record.id)}
                  className="text-13 text-accent underline underline-offset-4"
                >
                  The whole run
                </PageLink>
              </div>
            }
          />
        ) : (
          <DiagnosisForm answers={answers} onAnswer={answer} />
        )}
        <ScoreByCategory cases={cases} categories={categories} solved={all} />
      </div>
    </div>
  );
}
