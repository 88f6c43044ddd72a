'use client';
import { isFinal, type LabDescription, type RunRecord } from '@verbslab/protocol';
import { Play, RotateCcw, StepForward } from 'lucide-react';
import { StartFailure } from '../../parts/run/start-failure';
import { Button } from '../../ui/button';
import { Kbd } from '../../ui/kbd';
import { reveal } from '../../ui/reveal';
import { FailureNote } from '../../ui/states';
import { plannedTime } from '../planned-time';
import { Variations } from '../variations';
import type { Starter } from './use-starter';

interface StartProps {
  lab: LabDescription;
  starter: Starter;
}

/** Presets, and the buttons that start a first run. */
export function StartButtons({ lab, starter }: StartProps) {
  const { form, ready, start } = starter;
  const planned = form.wrong ? null : plannedTime(lab.timing, form.reading.values);
  return (
    <div className="mt-3">
      {lab.variations ? <Variations list={lab.variations} form={form} /> : null}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        {lab.steps ? (
          <Button kind="primary" disabled={!ready} onClick={() => void start('step')}>
            <StepForward size={14} aria-hidden />
            Step by step
          </Button>
        ) : null}
        <Button
          kind={lab.steps ? 'plain' : 'primary'}
          className={lab.steps ? undefined : 'px-5'}
          disabled={!ready}
          onClick={() => void start('all')}
        >
          <Play size={14} aria-hidden />
          {lab.steps ? 'Run all steps' : 'Run'}
        </Button>
        <span className="text-13 text-ink-3">
          <Kbd keys={lab.steps ? 'n' : 'r'} />
          {planned === null ? null : <span className="ml-2">{planned.short}</span>}
        </span>
        {form.fields.length > 0 ? (
          <Button kind="quiet" className="ml-auto" onClick={() => reveal('parameters')}>
            More parameters
          </Button>
        ) : null}
      </div>
      <StartTrouble starter={starter} />
    </div>
  );
}

/** Buttons that start another run after one. */
export function AgainButtons(props: StartProps & { record: RunRecord }) {
  const { lab, starter, record } = props;
  const { form, starting, ready, start } = starter;
  const over = isFinal(record.state);
  return (
    <>
      <Button disabled={!ready || !over} onClick={() => void start(record.mode)}>
        <RotateCcw size={14} aria-hidden />
        {starting ? 'Starting…' : record.imported ? 'Run on this host' : 'Run again'}
      </Button>
      <div className="basis-full">
        {lab.variations ? <Variations list={lab.variations} form={form} /> : null}
        <StartTrouble starter={starter} />
      </div>
    </>
  );
}

/** Why a run cannot be started now, or why the last one was not. */
function StartTrouble({ starter }: { starter: Starter }) {
  const { connected, starting, form, missing, failure } = starter;
  const why = starting
    ? 'Starting…'
    : !connected
      ? 'Waiting for the agent.'
      : form.wrong
        ? 'Correct the marked parameters to run.'
        : '';
  return (
    <>
      <p role="status" className="mt-1 text-13 text-ink-2 empty:hidden">
        {why}
      </p>
      {missing === null ? null : <FailureNote failure={missing} className="mt-3" />}
      {failure ? <StartFailure failure={failure} className="mt-3" /> : null}
    </>
  );
}
