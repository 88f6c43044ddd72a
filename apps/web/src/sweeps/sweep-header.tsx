'use client';
import { plural, sweepExport } from '@verbslab/labs';
import { isFinalSweep, type LabDescription, type Measurement, type SweepRecord } from '@verbslab/protocol';
import { Download, Pause, Play, X } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { runHref } from '../addresses';
import { ActionButton } from '../actions/action-button';
import { usePageHandle } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { secondsText, when } from '../format/number';
import { useUi } from '../actions/ui-store';
import { fieldsOf, summary } from '../model/fields';
import { CancelDialog } from '../frame/cancel-dialog';
import { PageLink } from '../ui/page-link';
import { ProgressBar } from '../ui/progress-bar';
import { FailureNote, type Failure } from '../ui/states';
import { saveJson } from '../ui/save-file';
import { SweepBadge } from './sweep-badge';
import type { Axis } from './sweep-views';

const WORDS = {
  queued: 'The sweep waits until the sweep before it has ended.',
  paused: 'Paused. Press Resume to continue.',
} as const;
const PAUSING = 'Paused after the run in progress. Press Resume to continue.';

interface SweepHeaderProps {
  sweep: SweepRecord;
  axes: readonly Axis[];
  lab: LabDescription | undefined;
  measurements: readonly Measurement[];
}

const EXPORT_TEXT = 'Every run with its figures, and the curves: what `verbslab sweeps show --json` prints';

/** Title, progress and actions of a sweep. */
export function SweepHeader({ sweep, axes, lab, measurements }: SweepHeaderProps) {
  const { id, state, plan, title, measured, total, secondsLeft, runId, createdAt } = sweep;
  const connected = useAgent((s) => s.status === 'open');
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = useCallback(
    (what: 'sweep.pause' | 'sweep.resume' | 'sweep.cancel') => () => {
      setFailure(null);
      request(what, { sweepId: id }).catch((e: unknown) => setFailure(toFailure(e)));
    },
    [id],
  );
  const over = isFinalSweep(state);
  const handle = useMemo(
    () => ({
      ...(measurements.length > 0
        ? {
            'download-sweep': () =>
              saveJson(`verbslab-sweep-${sweep.number}.json`, sweepExport(sweep, measurements, lab)),
          }
        : {}),
      ...(connected && !over
        ? {
            ...(state === 'paused'
              ? { 'resume-sweep': ask('sweep.resume') }
              : { 'pause-sweep': ask('sweep.pause') }),
            'cancel-sweep': () => useUi.getState().open('cancel'),
          }
        : {}),
    }),
    [sweep, measurements, lab, connected, over, state, ask],
  );
  usePageHandle(handle);
  const shared = lab ? summary(fieldsOf(lab.params), plan.params) : '';
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <p className="text-13 text-ink-3">{title}</p>
          <h1 className="text-20 font-semibold">
            Sweep over {axes.map((axis) => axis.title.toLowerCase()).join(' and ')}
          </h1>
        </div>
        <div className="flex flex-wrap gap-2">
          <ActionButton action="download-sweep" icon={Download} title={EXPORT_TEXT} />
          {over ? null : (
            <>
              {state === 'paused' ? (
                <ActionButton action="resume-sweep" icon={Play} kind="primary" />
              ) : (
                <ActionButton action="pause-sweep" icon={Pause} />
              )}
              <ActionButton action="cancel-sweep" icon={X} kind="danger" />
            </>
          )}
        </div>
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-13 text-ink-2">
        <SweepBadge state={state} />
        <span>
          {plural(plan.points.length, 'point')} × {plural(plan.repeat, 'repetition')}
        </span>
        <span className="num text-ink-3">{when(createdAt)}</span>
        {shared === '' ? null : <span className="w-full">All runs: {shared}</span>}
      </p>
      <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-4 text-13 text-ink-2">
        <ProgressBar label="Progress of the sweep" value={measured} max={total} part={measured / total} />
        <span className="num" data-sweep-progress>
          {measured} of {plural(total, 'run')}
        </span>
        {over || secondsLeft === null ? null : (
          <span className="num whitespace-nowrap">about {secondsText(secondsLeft)} left</span>
        )}
        {state === 'queued' || state === 'paused' ? (
          <span role="status">{state === 'paused' && runId !== null ? PAUSING : WORDS[state]}</span>
        ) : null}
        {runId === null || over ? null : (
          <PageLink href={runHref(runId)} className="inline-flex min-h-8 items-center text-accent underline">
            Run in progress
          </PageLink>
        )}
      </div>
      {over ? null : <CancelDialog what="the sweep" onCancel={ask('sweep.cancel')} />}
      {failure ? <FailureNote failure={failure} className="mt-3" /> : null}
    </header>
  );
}
