'use client';
import { isFinal, isProgram, isSimulation, programEnd, runSeconds, type RunRecord } from '@verbslab/protocol';
import { useState } from 'react';
import type { RunSession } from '../connection/run-sessions';
import { useAgent } from '../connection/store';
import { usePaused, useTopics } from '../connection/use-session';
import { count, secondsText } from '../format/number';
import { measuredText } from '../model/measured-text';
import type { Topic } from '../model/run-model';
import { ProgressBar } from '../ui/progress-bar';

const WATCH: readonly Topic[] = ['record', 'state'];

/** What a run does before it has told its progress. */
function beforeProgress(record: RunRecord): string {
  if (isSimulation(record)) return 'The simulation is running.';
  return isProgram(record) ? 'The program is running.' : 'Opening the endpoints';
}

/** The value, or while `hold` is true the last drawn one: a frozen page may be redrawn for other reasons. */
function useHeld<T>(value: T, hold: boolean): T {
  const [last, setLast] = useState(value);
  if (hold) return last;
  if (last !== value) setLast(value);
  return value;
}

/** A line of fixed height if it fits: progress and remaining time during the run, the outcome afterwards. */
export function StatusLine({ session }: { session: RunSession }) {
  const view = session.view!;
  useTopics(view, WATCH);
  const paused = usePaused(view);
  const connected = useAgent((s) => s.status === 'open');
  const now = view.model.record;
  const record = useHeld(now, paused && !isFinal(now.state));
  return (
    <div className="flex min-h-8 items-center gap-4 text-13 text-ink-2">
      {isFinal(record.state) ? (
        <Outcome record={record} reading={session.state === 'replaying'} />
      ) : !connected ? (
        <span className="text-error-ink">
          Everything below is as it was when the connection was lost. The run may have continued.
        </span>
      ) : record.waitingFor !== null ? (
        <span role="status">
          Waiting for you before the next step. Your time to think is cut out of the time axes.
        </span>
      ) : (
        <Progress record={record} />
      )}
      {paused ? (
        <span className="ml-auto whitespace-nowrap text-retx-ink">
          The view is frozen; the run continues.
        </span>
      ) : null}
    </div>
  );
}

function Progress({ record }: { record: RunRecord }) {
  const p = record.progress;
  return (
    <>
      <ProgressBar
        label="Progress of the run"
        value={p ? Math.round(p.fraction * 100) : undefined}
        part={p?.fraction ?? 0}
      />
      <span className="truncate">{p?.text ?? beforeProgress(record)}</span>
      {p?.secondsLeft !== null && p?.secondsLeft !== undefined ? (
        <span className="num whitespace-nowrap">{secondsText(p.secondsLeft)} left</span>
      ) : null}
    </>
  );
}

/** How long an ended run took, and what was not kept of it. `reading`: its records are still being loaded. */
export function Outcome({ record, reading }: { record: RunRecord; reading: boolean }) {
  const seconds = runSeconds(record);
  const ending = programEnd(record.result?.program);
  const measured = measuredText(record);
  return (
    <>
      <span data-shows="duration">
        {record.state === 'done' ? 'Done' : record.state === 'cancelled' ? 'Cancelled' : 'Ended'}
        {seconds !== null ? ` after ${secondsText(seconds)}` : ''}
        {measured === null ? '' : `, ${measured}`}
        {ending === null ? '' : `, ${ending}`}.
      </span>
      {reading ? <span role="status">Reading the record…</span> : null}
      {record.droppedRecords > 0 ? (
        <span data-shows="dropped-records">
          {count(record.droppedRecords)} detail records exceeded the storage limit of a run and were not kept;
          counts and figures include them.
        </span>
      ) : null}
    </>
  );
}
