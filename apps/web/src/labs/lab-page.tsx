'use client';
import type { LabCode, SelfCheck } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { Play, StepForward } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { useResultTables } from '../parts/results/tables-store';
import { useRunSession } from '../connection/use-session';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { Gloss } from '../ui/gloss';
import { Kbd } from '../ui/kbd';
import { FailureNote, type Failure } from '../ui/states';
import { LabResultsView } from '../parts/results/lab-results';
import { CompareVariations } from './compare-variations';
import { LabDetails } from './lab-details';
import { missingText } from './missing';
import { ParamForm } from '../parts/forms/param-form';
import { plannedText } from './planned-time';
import { PlaceForm } from './place-form';
import { chosenPlaces, usePlaces } from '../parts/forms/places';
import type { ShownText } from '../parts/text/glossed';
import { LabReading, Section } from './reading/lab-reading';
import { Reading } from '../parts/text/live';
import { guesses, PredictionForm, type Guessing } from './reading/prediction-form';
import { RunLine } from './reading/run-line';
import { StartedRun } from './reading/started-run';
import { useReadRun } from './reading/use-read-run';
import { useInitialQuery, useLabForm, type LabForm } from '../parts/forms/use-lab-form';
import { Variations } from './variations';

export interface LabPageProps {
  lab: LabDescription;
  /** Null for a lab without text. */
  text: ShownText | null;
  /** Self-checks with different numbers. */
  checks: readonly (readonly SelfCheck[])[];
  /** The lab as a program, in each available language. */
  code: readonly LabCode[];
  /** Reason why the lab has no program; null if it has one. */
  withoutProgram: string | null;
  /** The form of a sweep over the parameters. */
  sweep: (form: LabForm, ready: boolean) => ReactNode;
  explanations: ReactNode;
}

const NO_PREDICTIONS: NonNullable<LabDescription['predictions']> = [];

/** Page of a lab in a single column: question, predictions, parameters, run and explanation. */
export function LabPage({ lab, sweep, explanations, ...page }: LabPageProps) {
  const { text } = page;
  const router = useRouter();
  const query = useInitialQuery();
  const connected = useAgent((s) => s.status === 'open');
  const form = useLabForm(lab, query);
  const { reading, chosen, wrong } = form;
  const places = usePlaces();
  const predictions = lab.predictions ?? NO_PREDICTIONS;
  const [given, setGiven] = useState<Guessing>({});
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A lab with declared results shows them here. Others have a page of panels to follow.
  const here = lab.results !== undefined && !lab.steps;
  const [started, setStarted] = useState<string | null>(null);
  const session = useRunSession(started);
  const named = useMemo(() => new URLSearchParams(query).get('run'), [query]);
  const read = useReadRun(lab.id, named);
  // A reader who comes from a run wants its explanation, which is far below the form.
  const explained = useRef<HTMLDivElement>(null);
  const arrived = named !== null && read.run !== null;
  useEffect(() => {
    if (arrived && window.scrollY === 0) explained.current?.scrollIntoView();
  }, [arrived]);
  const missing = missingText(lab, reading.values, form.devices);
  const planned = wrong ? null : plannedText(lab.timing, reading.values);
  const ready = connected && !wrong && !starting && missing === null;

  const start = useCallback(
    async (mode: 'all' | 'step') => {
      setStarting(true);
      setFailure(null);
      try {
        const reply = await request('run.start', {
          lab: lab.id,
          params: reading.values,
          mode,
          ...chosenPlaces(chosen),
          ...guesses(predictions, given),
        });
        if (here) {
          setStarted(reply.run.id);
          setStarting(false);
        } else router.push(runHref(reply.run.id));
      } catch (e) {
        setFailure(toFailure(e));
        setStarting(false);
      }
    },
    [lab.id, reading, chosen, predictions, given, here, router],
  );

  const toggleTables = useResultTables((s) => s.toggle);
  const handle = useMemo(
    () => ({
      ...(ready ? { 'run-lab': () => void start('all') } : {}),
      ...(ready && lab.steps ? { 'next-step': () => void start('step') } : {}),
      ...(lab.results?.curves ? { 'toggle-tables': toggleTables } : {}),
    }),
    [ready, start, lab, toggleTables],
  );
  usePageHandle(handle);

  return (
    <article className="max-w-[60rem]">
      <h1 className="max-w-[34ch] text-28 font-semibold text-balance">{lab.question}</h1>
      <p className="prose mt-3 text-ink-2">
        <Gloss>{lab.summary}</Gloss>
      </p>
      {text === null ? null : (
        <div className="mt-6">
          <Reading value={{ lab, run: null }}>
            <Section id="goals" text={text} />
          </Reading>
        </div>
      )}
      {predictions.length > 0 ? (
        <PredictionForm
          list={predictions}
          given={given}
          onChange={(id, guess) => setGiven((all) => ({ ...all, [id]: guess }))}
        />
      ) : null}

      <form
        className="mt-6"
        onSubmit={(e) => {
          e.preventDefault();
          if (ready) void start('all');
        }}
      >
        {form.fields.length > 0 ? (
          <>
            <h2 className="mb-2 text-16 font-semibold">Parameters</h2>
            {lab.variations ? <Variations list={lab.variations} form={form} /> : null}
            <CompareVariations lab={lab} />
            <ParamForm
              fields={form.fields}
              draft={form.draft}
              errors={reading.errors}
              onChange={form.setField}
            />
          </>
        ) : null}
        {places.length > 1 ? (
          <PlaceForm roles={lab.roles} places={places} chosen={chosen} onChange={form.setPlace} />
        ) : null}
        <div className="mt-5 flex flex-wrap items-center gap-3">
          {lab.steps ? (
            <Button kind="primary" disabled={!ready} onClick={() => void start('step')}>
              <StepForward size={14} aria-hidden />
              Step by step
            </Button>
          ) : null}
          <Button type="submit" kind={lab.steps ? 'plain' : 'primary'} disabled={!ready}>
            <Play size={14} aria-hidden />
            {lab.steps ? 'Run all steps' : 'Run'}
          </Button>
          <span className="text-13 text-ink-2">
            {starting ? (
              'Starting…'
            ) : !connected ? (
              'Waiting for the agent.'
            ) : wrong ? (
              'Correct the marked fields to run.'
            ) : missing === null ? (
              <>
                or press <Kbd keys="r" />
                {lab.steps ? (
                  <>
                    {' '}
                    (<Kbd keys="n" /> for step by step)
                  </>
                ) : null}
              </>
            ) : null}
          </span>
        </div>
        {planned === null ? null : (
          <p data-planned className="mt-2 text-13 text-ink-2">
            {planned}
          </p>
        )}
        {missing === null ? null : <FailureNote failure={missing} className="mt-4" />}
        {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
        {sweep(form, ready)}
      </form>

      <div ref={explained} className="mt-10 scroll-mt-16">
        {started !== null ? (
          <StartedRun session={session} lab={lab}>
            {(run) => <LabReading lab={lab} {...page} run={run} />}
          </StartedRun>
        ) : (
          <>
            {read.failure ? <FailureNote failure={read.failure} className="mb-4" /> : null}
            {read.run && (here || text !== null || named !== null) ? (
              <>
                <RunLine record={read.run.record} lab={lab} />
                {lab.results ? (
                  <LabResultsView lab={lab} results={read.run.results} record={read.run.record} />
                ) : null}
              </>
            ) : null}
            <LabReading lab={lab} {...page} run={read.run} />
          </>
        )}
      </div>

      {explanations}
      <LabDetails lab={lab} />
    </article>
  );
}
