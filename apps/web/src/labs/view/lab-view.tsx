'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { infoToFailure } from '../../connection/failure';
import type { RunSession } from '../../connection/run-sessions';
import { useTopicsOf } from '../../connection/use-session';
import type { LabSample } from '../../model/paths/sample';
import type { Topic } from '../../model/run-model';
import { usePlaces } from '../../parts/forms/places';
import { useResultTables } from '../../parts/results/tables-store';
import { Fold } from '../../ui/fold';
import { Gloss } from '../../ui/gloss';
import { ProviderBadge } from '../../ui/provider-badge';
import { FailureNote, Skeleton } from '../../ui/states';
import { TermsListed } from '../../ui/term';
import { LabDetails } from '../lab-details';
import { AgainstFirst } from '../reading/against-first-table';
import { Further, Goals, Happened } from '../reading/lab-reading';
import type { LabReading } from '../reading/reading-of';
import { AllFigures } from './all-figures';
import { Eyebrow } from './eyebrow';
import { LabPicture } from './lab-picture';
import { ParametersFold } from './parameters-fold';
import type { LabParts } from './parts';
import { RunSide, SteppedSide } from './run-side';
import { RunTop } from './run-top';
import { StartButtons } from './start-buttons';
import type { Starter } from './use-starter';

// What the page of a run, or of a single host, does not have.
const PredictionForm = lazy(async () => ({
  default: (await import('../reading/prediction-form')).PredictionForm,
}));
const PlaceForm = lazy(async () => ({ default: (await import('../place-form')).PlaceForm }));

const TOPICS: readonly Topic[] = ['record', 'state'];

export interface LabViewProps {
  lab: LabDescription;
  /** Null while it is being loaded, or for a lab that this agent does not have. */
  reading: LabReading | null;
  /** Null for a lab that this agent does not have. */
  starter: Starter | null;
  /** The run on the page: null before the first one. Its session is null until the page is connected. */
  run: { session: RunSession | null } | null;
  parts: LabParts;
  /** What the picture shows before the first run; null on the page of a run. */
  sample?: LabSample | null;
  /** More beside the place in the catalog. */
  aside?: ReactNode;
}

/**
 * A lab in one screen. Before a run: question, picture, prediction, Run. During and after it, at the same places: the
 * answer, the picture of the run, its one chart, and the prediction beside the measurement. All else is closed below.
 */
export function LabView({ lab, reading, starter, run, parts, sample = null, aside }: LabViewProps) {
  const session = run?.session ?? null;
  const view = session?.view ?? null;
  useTopicsOf(
    useMemo(() => (view ? [view] : []), [view]),
    TOPICS,
  );
  const record = view?.model.record ?? null;
  const over = record !== null && isFinal(record.state);
  const ended = over ? { record, results: view!.model.results } : null;
  const places = usePlaces();
  const [bare, setBare] = useState(false);
  useLabKeys(lab, starter, run === null ? 'before' : over ? 'after' : 'during', record?.mode ?? 'all');
  const opened = session !== null && view !== null ? { session, view } : null;
  const place = reading?.place ?? null;
  const texts = reading === null ? null : { lab, reading, run: ended };
  // Between the steps of a run, the picture and the button of the next step have the screen.
  const stepping = opened !== null && lab.steps !== undefined && !over;
  const title = (
    <h1 className="text-20 font-semibold text-balance" data-words>
      {lab.question}
    </h1>
  );
  return (
    <parts.Frame session={session} stepped={lab.steps !== undefined}>
      <TermsListed value>
        <article className="max-w-[100rem]" data-lab={lab.id}>
          <header>
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 md:min-h-8">
              {stepping ? (
                title
              ) : (
                <span className="flex flex-wrap items-baseline gap-x-4">
                  <Eyebrow lab={lab} place={place} />
                  {lab.simulated ? <ProviderBadge provider="simulated" explained /> : null}
                  {aside}
                </span>
              )}
              {opened ? <parts.Actions session={opened.session} freezable={!lab.steps} /> : null}
            </div>
            {stepping ? null : title}
            <div className={stepping ? undefined : 'mt-1 md:min-h-20'}>
              {run === null ? (
                <p className="max-w-[100ch] text-pretty text-ink-2">
                  <Gloss>{lab.summary}</Gloss>
                </p>
              ) : opened ? (
                <RunTop session={opened.session} parts={parts} />
              ) : (
                <Opening session={session} />
              )}
            </div>
          </header>
          {opened && lab.steps ? (
            <div className={stepping ? 'mt-2' : 'mt-3 space-y-5'}>
              {over ? <SteppedSide {...{ lab, starter }} session={opened.session} place={place} /> : null}
              <parts.Steps session={opened.session} lab={lab} />
            </div>
          ) : (
            <div className="mt-3 grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 md:grid-cols-[minmax(0,1fr)_22rem] lg:grid-cols-[minmax(0,1fr)_26rem]">
              <div className={bare ? 'order-last col-span-full' : 'min-w-0'}>
                {lab.picture?.states === true ? (
                  <div data-lab-picture>
                    <parts.States view={over && session?.state === 'complete' ? view : null} />
                  </div>
                ) : (
                  <LabPicture {...{ lab, sample }} session={opened?.session ?? null} onBare={setBare} />
                )}
              </div>
              {opened ? (
                <RunSide {...{ lab, starter, parts, bare }} session={opened.session} place={place} />
              ) : starter && run === null ? (
                <div>
                  {starter.predictions.length > 0 ? (
                    // Run stays in sight, however long the questions are.
                    <div className="thin-scroll md:max-h-[calc(100dvh-27rem)] md:min-h-32 md:overflow-y-auto">
                      <Suspense fallback={null}>
                        <PredictionForm
                          list={starter.predictions}
                          given={starter.given}
                          onChange={starter.guess}
                        />
                      </Suspense>
                    </div>
                  ) : null}
                  <StartButtons lab={lab} starter={starter} />
                </div>
              ) : null}
            </div>
          )}
          <div className="mt-6">
            {texts && ended ? <Happened {...texts} /> : null}
            {opened ? (
              <>
                <AllFigures view={opened.view} lab={lab} parts={parts} />
                {ended ? <AgainstFirst lab={lab} run={ended} /> : null}
                <parts.Evidence session={opened.session} lab={lab} />
                <parts.Notes view={opened.view} row />
                <Fold
                  id="limits"
                  title="About this run"
                  summary="what its figures do not show, and how to repeat it"
                >
                  <parts.Limits session={opened.session} lab={lab} known={starter !== null} />
                </Fold>
              </>
            ) : null}
            {starter ? (
              <>
                <ParametersFold lab={lab} starter={starter} record={record} />
                {places.length > 1 && lab.roles.length > 0 ? (
                  <Suspense fallback={null}>
                    <PlaceForm
                      roles={lab.roles}
                      places={places}
                      chosen={starter.form.chosen}
                      onChange={starter.form.setPlace}
                    />
                  </Suspense>
                ) : null}
                <parts.Sweep lab={lab} form={starter.form} ready={starter.ready} />
              </>
            ) : null}
            {texts ? (
              <>
                <Goals {...texts} />
                {ended ? null : <Happened {...texts} />}
                <Further {...texts} />
              </>
            ) : null}
            <parts.Explanations lab={lab.id} />
            <Fold
              id="details"
              title={
                lab.steps ? 'Steps, checks, endpoints' : lab.simulated ? 'Checks' : 'Checks and endpoints'
              }
              summary="what the lab does and verifies"
              words
            >
              <LabDetails lab={lab} />
            </Fold>
          </div>
        </article>
      </TermsListed>
    </parts.Frame>
  );
}

/** In place of a run that is not there yet, or could not be opened. */
function Opening({ session }: { session: RunSession | null }) {
  return session?.state === 'failed' && session.error ? (
    <FailureNote failure={infoToFailure(session.error.info)} />
  ) : (
    <div aria-busy aria-label="The run is being loaded" className="space-y-3 pt-2">
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="h-3 w-[32rem] max-w-full" />
    </div>
  );
}

/** Keys of the page. A run under way has its own. */
function useLabKeys(
  lab: LabDescription,
  starter: Starter | null,
  phase: 'before' | 'during' | 'after',
  mode: 'all' | 'step',
): void {
  const toggleTables = useResultTables((s) => s.toggle);
  const start = starter?.ready && phase !== 'during' ? starter.start : null;
  const handle = useMemo(
    () => ({
      ...(start ? { 'run-lab': () => void start(phase === 'before' ? 'all' : mode) } : {}),
      ...(start && lab.steps && phase === 'before' ? { 'next-step': () => void start('step') } : {}),
      ...(lab.results?.curves ? { 'toggle-tables': toggleTables } : {}),
    }),
    [start, phase, mode, lab, toggleTables],
  );
  usePageHandle(handle);
}
