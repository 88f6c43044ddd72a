'use client';
import { standstill } from '@verbslab/report/standstill';
import type { RunSession } from '../connection/run-sessions';
import type { RunView } from '../connection/run-view';
import { useTopics } from '../connection/use-session';
import type { Topic } from '../model/run-model';
import { ImportedFrom } from './imported-from';
import { JoinActions } from './join/join-actions';
import { JoinedFrom } from './join/joined-from';
import { ProgramAgain } from './program-again';
import { ProgramFailure } from './program-failure';
import { RunActions } from './run-actions';
import { RunLine } from './run-line';
import { StandingBanner } from './standing-banner';
import { StatusLine } from './status-line';

const WATCH: readonly Topic[] = ['record'];

/** What the program moved, and how fast. Below a cause, which comes first, it is closed. */
function Answer({ view }: { view: RunView }) {
  const { record, stills } = view.model;
  const { answer } = record.result ?? {};
  if (!answer) return null;
  const text = (
    <p className="mt-1 max-w-[120ch] text-16" data-answer data-shows="program-answer">
      {answer}
    </p>
  );
  const stood = standstill(stills, stills.latest, { ended: true })?.state === 'stuck';
  if (record.state !== 'failed' && !stood) return text;
  return (
    <details className="mt-3 border-y text-13">
      <summary className="flex min-h-10 items-center font-medium pointer-coarse:min-h-11">
        Throughput and latency
      </summary>
      <div className="pb-3">{text}</div>
    </details>
  );
}

/**
 * What a program waits for, and what failed first. One of them is the cause: a QP that stands still in ERR follows from the failure,
 * and any other standstill explains what was reported.
 */
function Cause({ view }: { view: RunView }) {
  const { record, stills } = view.model;
  const { error, state } = record;
  if (error === null || state === 'cancelled') return <StandingBanner view={view} />;
  const stood = standstill(stills, stills.latest, { ended: true });
  const stuck = stood?.state === 'stuck';
  return stuck && stood.kind === 'error' ? (
    <>
      <ProgramFailure view={view} error={error} />
      <StandingBanner view={view} follows />
    </>
  ) : (
    <>
      <StandingBanner view={view} />
      <ProgramFailure view={view} error={error} follows={stuck} />
    </>
  );
}

/** Command, place and progress of the run of a program, with its actions. */
export function RunHeader({ session }: { session: RunSession }) {
  const view = session.view!;
  useTopics(view, WATCH);
  const { record } = view.model;
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 md:flex-nowrap">
        <h1 className="num min-w-0 text-20 font-semibold wrap-anywhere" data-shows="command">
          {record.title}
        </h1>
        <RunActions session={session} freezable>
          <JoinActions record={record} />
        </RunActions>
      </div>
      <Cause view={view} />
      <Answer view={view} />
      <RunLine view={view} />
      {record.imported ? <ImportedFrom imported={record.imported} record={record} unknown={null} /> : null}
      <JoinedFrom record={record} />
      <div className="mt-2">
        <StatusLine session={session} />
      </div>
      <ProgramAgain record={record} />
    </header>
  );
}
