'use client';
import { shownFigures } from '@verbslab/labs';
import { SIMULATION_VIEW, type RunRecord } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import type { RunSession } from '../connection/run-sessions';
import type { RunView } from '../connection/run-view';
import { useTopics } from '../connection/use-session';
import { fieldsOf, summary } from '../model/fields';
import type { Topic } from '../model/run-model';
import { Figures } from '../parts/results/lab-results';
import { FailureNote } from '../ui/states';
import { ImportedFrom } from './imported-from';
import { PanelGrid } from './panel-grid';
import { PANELS } from './panel-list';
import { RunActions } from './run-actions';
import { RunFrame } from './run-frame';
import { RunLine } from './run-line';
import { SimulationAgain } from './simulation-again';
import { StatusLine } from './status-line';

const TOPICS: readonly Topic[] = ['record', 'state', 'simulations', 'results', 'notes'];

export interface SimulationRunProps {
  session: RunSession;
  notes: (view: RunView) => ReactNode;
}

/** Page of a run of `verbslab sim`. */
export function SimulationRun({ session, notes }: SimulationRunProps) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const figures = shownFigures(view.model.results, SIMULATION_VIEW);
  return (
    <RunFrame session={session} stepped={false}>
      <Header session={session} />
      {figures.length > 0 ? (
        <section aria-label="Figures" className="mb-5">
          <Figures list={figures} />
        </section>
      ) : null}
      {notes(view)}
      <PanelGrid session={session} lab={SIMULATION_VIEW} layoutName="simulation" all={PANELS} />
    </RunFrame>
  );
}

function Header({ session }: { session: RunSession }) {
  const view = session.view!;
  const { record, notes } = view.model;
  const { answer } = record.result ?? {};
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 md:flex-nowrap">
        <h1 className="min-w-0 text-20 font-semibold wrap-anywhere" data-shows="simulation-title">
          {record.title}
        </h1>
        <RunActions session={session} freezable={false} />
      </div>
      <Failure record={record} />
      {answer ? (
        <p className="mt-1 max-w-[120ch] text-16" data-answer data-shows="simulation-answer">
          {answer}
        </p>
      ) : null}
      <RunLine view={view} />
      <p className="mt-1 max-w-[120ch] text-13 text-ink-2" data-shows="parameters">
        {summary(fieldsOf(SIMULATION_VIEW.params), record.parameters, true)}
      </p>
      {record.imported ? <ImportedFrom imported={record.imported} record={record} unknown={null} /> : null}
      <div className="mt-2">
        <StatusLine session={session} />
      </div>
      {notes.map((note) => (
        <p key={note.seq} className="max-w-[120ch] text-13 text-ink-2" data-shows="note">
          {note.text}
        </p>
      ))}
      <SimulationAgain view={view} />
    </header>
  );
}

/** Why there is no result. A cancelled run needs no reason. */
function Failure({ record }: { record: RunRecord }) {
  const { error, state } = record;
  if (!error || state === 'cancelled') return null;
  return (
    <div className="mt-2">
      <FailureNote failure={{ what: error.message, cure: error.cure }} />
    </div>
  );
}
