'use client';
import { headlineOf, resultViews, type Headline } from '@verbslab/labs';
import { isFinal, type LabDescription, type RunRecord } from '@verbslab/protocol';
import type { RunSession } from '../../connection/run-sessions';
import { useTopics } from '../../connection/use-session';
import type { Topic } from '../../model/run-model';
import { Figures, RunCurve, TableBlock } from '../../parts/results/lab-results';
import { buttonStyle } from '../../ui/button';
import { cn } from '../../ui/cn';
import { PageLink } from '../../ui/page-link';
import type { LabPlace } from '../reading/reading-of';
import { Comparison } from './comparison';
import type { LabParts } from './parts';
import { AgainButtons } from './start-buttons';
import type { Starter } from './use-starter';

const TOPICS: readonly Topic[] = ['results', 'record', 'state'];

interface RunSideProps {
  session: RunSession;
  lab: LabDescription;
  place: LabPlace | null;
  /** Null for a lab that this agent does not have. */
  starter: Starter | null;
  parts: LabParts;
  /** True if there is no picture, so that the chart takes its room. */
  bare: boolean;
}

/** Beside the picture of a run: its one chart, the predictions with what was measured, and what to do next. */
export function RunSide({ session, lab, place, starter, parts, bare }: RunSideProps) {
  const view = session.view!;
  useTopics(view, TOPICS, 'chart');
  const { record, results } = view.model;
  // The model adds to its results in place, so the views are made at each drawing.
  const views = resultViews(results, lab);
  const final = isFinal(record.state);
  const headline = headlineOf(views, lab.results);
  // A simulated run has no picture: below its figures or its table there is room for a curve.
  const below =
    lab.fabric && final && headline?.kind !== 'curve'
      ? views.curves.find(({ series }) => series.some(({ points }) => points.length > 0))
      : undefined;
  return (
    <div className={bare ? 'contents' : 'space-y-4'} data-run-side>
      <div className={bare ? 'min-w-0' : 'min-h-40'} data-headline>
        <HeadlineView {...{ session, lab, parts, final, bare }} headline={headline} />
        {below ? (
          <div className="mt-6">
            <RunCurve curve={below} height="h-72" heading="h2" />
          </div>
        ) : null}
      </div>
      <div className="space-y-4">
        <Comparison list={views.predictions} over={final} />
        <Onward {...{ lab, place, starter, record }} />
      </div>
    </div>
  );
}

/** Above the steps of a run that has ended: the predictions with what was measured, and what to do next. */
export function SteppedSide({ session, lab, place, starter }: Omit<RunSideProps, 'parts' | 'bare'>) {
  const { record, results } = session.view!.model;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-4 md:grid-cols-2" data-run-side>
      <Comparison list={resultViews(results, lab).predictions} over />
      <Onward {...{ lab, place, starter, record }} />
    </div>
  );
}

/** The next lab, and this one once more. */
function Onward(props: Pick<RunSideProps, 'lab' | 'place' | 'starter'> & { record: RunRecord }) {
  const { lab, place, starter, record } = props;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isFinal(record.state) && place ? (
        <PageLink
          href={place.next ? `/labs/${place.next.id}` : '/labs'}
          className={buttonStyle({ kind: 'primary' })}
        >
          {place.next ? `Next: ${place.next.title}` : 'All labs'}
        </PageLink>
      ) : null}
      {starter === null ? null : <AgainButtons {...{ lab, starter, record }} />}
    </div>
  );
}

function HeadlineView(props: {
  session: RunSession;
  lab: LabDescription;
  parts: LabParts;
  headline: Headline | null;
  final: boolean;
  bare: boolean;
}) {
  const { session, lab, parts, headline, final, bare } = props;
  switch (headline?.kind) {
    case 'curve':
      return <RunCurve curve={headline.curve} height={bare ? 'h-96' : 'h-56'} heading="h2" />;
    case 'table':
      return (
        <div
          className={headline.table.bars ? undefined : cn('overflow-y-auto', bare ? 'max-h-96' : 'max-h-80')}
          tabIndex={0}
          role="group"
          aria-label={headline.table.label}
        >
          <TableBlock table={headline.table} heading="h2" />
        </div>
      );
    case 'figures':
      // Figures of paths are compared, and the first two of them may be any.
      if (lab.picture?.paths === true) return <parts.Bars view={session.view!} />;
      return <Figures list={headline.figures} />;
    case undefined:
      if (lab.watch.includes('goodput')) return <parts.Bars view={session.view!} />;
      return (
        <p className="text-13 text-ink-3">
          {final
            ? 'The run ended before it found anything.'
            : 'Results appear here as soon as the run has them.'}
        </p>
      );
  }
}
