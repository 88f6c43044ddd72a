'use client';
import { isFinal } from '@verbslab/protocol';
import { runHref, sweepHref } from '../addresses';
import type { RunSession } from '../connection/run-sessions';
import { useTopics } from '../connection/use-session';
import { when } from '../format/number';
import type { Topic } from '../model/run-model';
import { PageLink } from '../ui/page-link';
import { StateBadge } from '../ui/state-badge';
import { RunPlaces } from './run-places';
import { Outcome } from './status-line';

const WATCH: readonly Topic[] = ['record', 'state'];
const LINK =
  'inline-flex min-h-6 items-center text-accent underline underline-offset-4 pointer-coarse:min-h-11';

/** A run of a lab in one line: its number with the link to it, its state, time, place and length. */
export function LabLine({ session }: { session: RunSession }) {
  const view = session.view!;
  useTopics(view, WATCH);
  const { record } = view.model;
  const final = isFinal(record.state);
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-3 text-12 text-ink-3">
      <StateBadge
        state={record.state}
        waiting={record.waitingFor !== null}
        problems={record.result?.problems}
      />
      <PageLink href={runHref(record.id)} className={LINK}>
        Run {record.number}
      </PageLink>
      <span className="num" data-shows="created">
        {when(record.createdAt)}
      </span>
      <RunPlaces model={view.model} />
      {record.sweep ? (
        <PageLink href={sweepHref(record.sweep.id)} className={LINK}>
          Sweep {record.sweep.number}, point {record.sweep.point + 1}, round {record.sweep.round + 1}
        </PageLink>
      ) : null}
      {final ? <Outcome record={record} reading={session.state === 'replaying'} /> : null}
    </p>
  );
}
