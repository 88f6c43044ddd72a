'use client';
import { isEmpty, isFinal, type LabDescription } from '@verbslab/protocol';
import { BookOpen } from 'lucide-react';
import { readingHref } from '../addresses';
import type { RunView } from '../connection/run-view';
import { LabResultsView } from '../parts/results/lab-results';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import type { Topic } from '../model/run-model';
import { RunProvider } from '../parts/run/run-provider';
import { useTopics } from '../connection/use-session';

const TOPICS: readonly Topic[] = ['results', 'state'];

/** Results of a lab, with a link to the explanation with these figures. Only the link for labs without results. */
export function RunResults({ view, lab }: { view: RunView; lab: LabDescription | null }) {
  useTopics(view, TOPICS, 'chart');
  const { results, record } = view.model;
  if (lab?.results === undefined && isEmpty(results))
    return lab && isFinal(record.state) ? (
      <p className="-mt-2 mb-5">
        <Explain lab={lab.id} run={record.id} />
      </p>
    ) : null;
  return (
    <section aria-labelledby="results" className="mb-8">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="results" className="text-16 font-semibold">
          Results
        </h2>
        <RunProvider view={view} short />
        <span className="ml-auto">{lab ? <Explain lab={lab.id} run={record.id} /> : null}</span>
      </div>
      <LabResultsView lab={lab} results={results} record={record} />
    </section>
  );
}

function Explain({ lab, run }: { lab: string; run: string }) {
  return (
    <PageLink href={readingHref(lab, run)} className={buttonStyle()}>
      <BookOpen size={14} aria-hidden />
      Explain this run
    </PageLink>
  );
}
