'use client';
import {
  isFinal,
  runSeconds,
  isProgram,
  programEnd,
  type LabDescription,
  type RunRecord,
} from '@verbslab/protocol';
import { GitCompareArrows, Play, RotateCcw, SlidersHorizontal, Snowflake, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState } from 'react';
import { compareHref, runHref, sweepHref } from '../addresses';
import { toFailure, infoToFailure } from '../connection/failure';
import type { RunSession } from '../connection/run-sessions';
import { request, useAgent } from '../connection/store';
import { count, secondsText, when } from '../format/number';
import { fieldsOf, summary } from '../model/fields';
import { useUi } from '../actions/ui-store';
import { Button, buttonStyle } from '../ui/button';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { ProgressBar } from '../ui/progress-bar';
import { StateBadge } from '../ui/state-badge';
import { FailureNote, Skeleton, type Failure } from '../ui/states';
import { StartFailure } from '../parts/run/start-failure';
import { againRequest, editHref } from './again';
import { Caveats } from './caveats';
import { CancelDialog } from '../frame/cancel-dialog';
import { ExportMenu, exportHref, formatsOf } from './export-menu';
import { ImportedFrom } from './imported-from';
import { JoinActions } from './join/join-actions';
import { JoinedFrom } from './join/joined-from';
import { ProgramAgain } from './program-again';
import { ProgramFailure } from './program-failure';
import { usePageHandle } from '../actions/page-store';
import { RunPlaces } from './run-places';
import { placesOf } from '../parts/run/run-provider';
import { usePaused, useTopics } from '../connection/use-session';
import { measuredText } from '../model/measured-text';
import type { Topic } from '../model/run-model';

const WATCH: readonly Topic[] = ['record'];

const askFirst = (): void => useUi.getState().open('cancel');

/** Title, place and progress of a run, with its actions. */
export function RunHeader({ session, lab }: { session: RunSession; lab: LabDescription | null }) {
  const view = session.view!;
  useTopics(view, WATCH);
  const paused = usePaused(view);
  const router = useRouter();
  const connected = useAgent((s) => s.status === 'open');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [cancelling, setCancelling] = useState(false);
  const [starting, setStarting] = useState(false);
  const { record } = view.model;
  const final = isFinal(record.state);
  const shown = useHeld(record, paused && !final);
  const runId = record.id;

  const ask = useCallback(async (what: () => Promise<unknown>) => {
    setFailure(null);
    try {
      await what();
    } catch (e) {
      setFailure(toFailure(e));
    }
  }, []);
  const cancel = useCallback(() => {
    setCancelling(true);
    void ask(() => request('run.cancel', { runId })).finally(() => setCancelling(false));
  }, [ask, runId]);
  const program = isProgram(record);
  // Nothing streams past in single-step mode.
  const freezable = !lab?.steps;
  const repeatable = final && lab !== null && !program && connected && !starting;
  const again = useCallback(() => {
    setStarting(true);
    void ask(async () =>
      router.push(runHref((await request('run.start', againRequest(record))).run.id)),
    ).finally(() => setStarting(false));
  }, [ask, record, router]);

  const formats = formatsOf(record)
    .map(({ id }) => id)
    .join(' ');
  const abilities = useMemo(
    () => ({
      ...(final
        ? repeatable
          ? { 'run-lab': again }
          : {}
        : {
            'cancel-run': askFirst,
            ...(freezable ? { 'pause-view': () => view.setPaused(!view.paused) } : {}),
          }),
      ...Object.fromEntries(
        formats.split(' ').map((id) => [`export-${id}`, () => location.assign(exportHref(runId, id))]),
      ),
      'compare-runs': () => router.push(compareHref([runId])),
    }),
    [final, freezable, formats, view, again, repeatable, runId, router],
  );
  usePageHandle(abilities);

  const places = placesOf(view.model);
  const fields = lab ? fieldsOf(lab.params) : [];
  return (
    <header className="mb-5">
      {lab && !program ? <p className="text-13 text-ink-3">{lab.title}</p> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 md:flex-nowrap">
        <h1
          className={cn('min-w-0 text-20 font-semibold', program && 'num wrap-anywhere')}
          data-shows={program ? 'command' : undefined}
        >
          {program ? record.title : (lab?.question ?? record.title)}
        </h1>
        <div className="flex max-w-full shrink-0 flex-wrap gap-2 lg:flex-nowrap lg:justify-end">
          {!final ? (
            <>
              {freezable ? (
                <Button aria-pressed={paused} onClick={() => view.setPaused(!paused)}>
                  {paused ? <Play size={14} aria-hidden /> : <Snowflake size={14} aria-hidden />}
                  {paused ? 'Follow the run' : 'Freeze the view'}
                </Button>
              ) : null}
              <Button kind="danger" disabled={!connected || cancelling} onClick={cancel}>
                <X size={14} aria-hidden />
                {cancelling ? 'Cancelling…' : 'Cancel'}
              </Button>
            </>
          ) : null}
          {program ? <JoinActions record={record} /> : null}
          <ExportMenu record={record} />
          <PageLink href={compareHref([runId])} className={buttonStyle()}>
            <GitCompareArrows size={14} aria-hidden />
            Compare with…
          </PageLink>
          {final && !program && lab ? (
            <>
              <PageLink href={editHref(record)} className={buttonStyle()}>
                <SlidersHorizontal size={14} aria-hidden />
                Edit and run
              </PageLink>
              <Button kind="primary" disabled={!repeatable} onClick={again}>
                <RotateCcw size={14} aria-hidden />
                {starting ? 'Starting…' : record.imported ? 'Run on this host' : 'Run again'}
              </Button>
            </>
          ) : null}
        </div>
      </div>
      {record.result?.answer ? (
        <p
          className="mt-1 max-w-[120ch] text-16"
          data-answer
          data-shows={program ? 'program-answer' : 'answer'}
        >
          {record.result.answer}
        </p>
      ) : null}
      {lab && !program && (!lab.steps || lab.results?.figures) ? <Caveats view={view} lab={lab} /> : null}
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-13 text-ink-2">
        <StateBadge
          state={record.state}
          waiting={record.waitingFor !== null}
          problems={record.result?.problems}
          className={final ? 'max-sm:min-w-[5.5rem]' : 'min-w-[5.5rem]'}
        />
        {places.length > 0 ? (
          <RunPlaces places={places} links={view.model.links} />
        ) : final ? null : (
          // The device is known once an endpoint has opened it; a skeleton reserves the space until then.
          <Skeleton className="h-3 w-48" />
        )}
        <span className="num text-ink-3" data-shows="created">
          {when(record.createdAt)}
        </span>
        {record.sweep ? (
          <PageLink
            href={sweepHref(record.sweep.id)}
            className="inline-flex min-h-8 items-center text-accent underline"
          >
            Sweep {record.sweep.number}, point {record.sweep.point + 1}, round {record.sweep.round + 1}
          </PageLink>
        ) : null}
        <span className="w-full" data-shows="parameters">
          {program ? null : summary(fields, record.parameters, true)}
        </span>
      </p>
      {record.imported ? (
        <ImportedFrom
          imported={record.imported}
          record={record}
          unknown={lab === null && !program ? record.lab : null}
        />
      ) : null}
      {program ? <JoinedFrom record={record} /> : null}
      <StatusLine record={shown} paused={paused} state={session.state} connected={connected} />
      {program ? <ProgramAgain record={record} /> : null}
      {final ? null : <CancelDialog what={program ? 'the program' : 'the run'} onCancel={cancel} />}
      {failure ? <StartFailure failure={failure} className="mt-3" /> : null}
      {record.error && record.state !== 'cancelled' && program ? (
        <ProgramFailure view={view} error={record.error} />
      ) : null}
      {record.error && record.state !== 'cancelled' && !program ? (
        <FailureNote failure={infoToFailure(record.error)} className="mt-3" />
      ) : null}
    </header>
  );
}

/** The value, or while `hold` is true the last drawn one: a frozen header may be redrawn for other reasons. */
function useHeld<T>(value: T, hold: boolean): T {
  const [last, setLast] = useState(value);
  if (hold) return last;
  if (last !== value) setLast(value);
  return value;
}

/** A line of fixed height if it fits: progress and remaining time during the run, the outcome afterwards. */
function StatusLine(props: {
  record: RunRecord;
  paused: boolean;
  state: RunSession['state'];
  connected: boolean;
}) {
  const { record, paused, state, connected } = props;
  const p = record.progress;
  const seconds = runSeconds(record);
  const ending = programEnd(record.result?.program);
  const measured = measuredText(record);
  return (
    <div className="mt-2 flex min-h-8 items-center gap-4 text-13 text-ink-2">
      {isFinal(record.state) ? (
        <>
          <span data-shows="duration">
            {record.state === 'done' ? 'Done' : record.state === 'cancelled' ? 'Cancelled' : 'Ended'}
            {seconds !== null ? ` after ${secondsText(seconds)}` : ''}
            {measured === null ? '' : `, ${measured}`}
            {ending === null ? '' : `, ${ending}`}.
          </span>
          {state === 'replaying' ? <span role="status">Reading the record…</span> : null}
          {record.droppedRecords > 0 ? (
            <span data-shows="dropped-records">
              {count(record.droppedRecords)} detail records exceeded the storage limit of a run and were not
              kept; counts and figures include them.
            </span>
          ) : null}
        </>
      ) : !connected ? (
        <span className="text-error-ink">
          Everything below is as it was when the connection was lost. The run may have continued.
        </span>
      ) : record.waitingFor !== null ? (
        <span role="status">
          Press <strong className="font-medium">Next step</strong> to continue.
        </span>
      ) : (
        <>
          <ProgressBar
            label="Progress of the run"
            value={p ? Math.round(p.fraction * 100) : undefined}
            part={p?.fraction ?? 0}
          />
          <span className="truncate">
            {p?.text ?? (isProgram(record) ? 'The program is running.' : 'Opening the endpoints')}
          </span>
          {p?.secondsLeft !== null && p?.secondsLeft !== undefined ? (
            <span className="num whitespace-nowrap">{secondsText(p.secondsLeft)} left</span>
          ) : null}
        </>
      )}
      {paused ? (
        <span className="ml-auto whitespace-nowrap text-retx-ink">
          The view is frozen; the run continues.
        </span>
      ) : null}
    </div>
  );
}
