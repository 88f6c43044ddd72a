'use client';
import { isFinal, type LabDescription, type RunRecord } from '@verbslab/protocol';
import { runHref } from '../../addresses';
import { secondsText } from '../../format/number';
import { buttonStyle } from '../../ui/button';
import { PageLink } from '../../ui/page-link';
import { ProviderBadges } from '../../ui/provider-badge';
import { StateBadge } from '../../ui/state-badge';
import { fieldsOf, summary } from '../../model/fields';

/** Number, progress and answer of the run on this page, with a link to its full record. */
export function RunLine({ record, lab }: { record: RunRecord; lab: LabDescription }) {
  const { progress, result } = record;
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="this-run" className="text-20 font-semibold">
          Run {record.number}
        </h2>
        <PageLink href={runHref(record.id)} className={buttonStyle()}>
          {isFinal(record.state) ? 'Open the full run' : 'Follow the run'}
        </PageLink>
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-13 text-ink-2">
        <StateBadge
          state={record.state}
          waiting={record.waitingFor !== null}
          problems={result?.problems}
          className="flex-wrap gap-y-0"
        />
        {result?.provider ? (
          <ProviderBadges provider={result.provider} links={result.links} explained />
        ) : null}
        <span data-shows="parameters">{summary(fieldsOf(lab.params), record.parameters, true)}</span>
      </p>
      <p role="status" className="sr-only">
        Run {record.number}: {record.state}
      </p>
      {isFinal(record.state) ? null : (
        <p className="mt-1 text-13 text-ink-2">
          {progress?.text ?? 'Opening the endpoints'}
          {progress === null ? null : <span className="num"> {Math.round(progress.fraction * 100)} %</span>}
          {progress?.secondsLeft === null || progress?.secondsLeft === undefined ? null : (
            <span className="num">, {secondsText(progress.secondsLeft)} left</span>
          )}
        </p>
      )}
      {result?.answer === undefined ? null : (
        <p className="mt-2 max-w-[72ch] text-16" data-shows="answer">
          {result.answer}
        </p>
      )}
    </div>
  );
}
