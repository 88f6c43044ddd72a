'use client';
import { headlineOf, resultViews } from '@verbslab/labs';
import { isEmpty, type LabDescription } from '@verbslab/protocol';
import type { RunView } from '../../connection/run-view';
import { useTopics } from '../../connection/use-session';
import type { Topic } from '../../model/run-model';
import { LabResultsView } from '../../parts/results/lab-results';
import { RunProvider } from '../../parts/run/run-provider';
import { Fold } from '../../ui/fold';
import type { LabParts } from './parts';

const TOPICS: readonly Topic[] = ['results', 'state'];
const STATE: readonly Topic[] = ['state'];

interface AllFiguresProps {
  view: RunView;
  lab: LabDescription;
  parts: LabParts;
}

/** All figures of a run but the one beside its picture. */
export function AllFigures({ view, lab, parts }: AllFiguresProps) {
  useTopics(view, STATE);
  const measuring = lab.watch.includes('goodput');
  if (lab.results === undefined && !measuring && isEmpty(view.model.results)) return null;
  const { figures = [], curves = [], tables = [] } = lab.results ?? {};
  const names = [...figures, ...curves, ...tables].map(({ label }) =>
    // Not the first letter of an acronym.
    label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  );
  return (
    <Fold
      id="figures"
      title="All figures"
      summary={
        <span data-words>
          {[...(measuring ? ['goodput, CPU time and latency of each transport'] : []), ...names].join(', ')}
        </span>
      }
      late
    >
      <Content {...{ view, lab, parts, measuring }} />
    </Fold>
  );
}

function Content({ view, lab, parts, measuring }: AllFiguresProps & { measuring: boolean }) {
  useTopics(view, TOPICS, 'chart');
  const { results, record } = view.model;
  const views = resultViews(results, lab);
  const own =
    lab.results !== undefined || [views.figures, views.tables, views.curves].some((one) => one.length > 0);
  return (
    <>
      {measuring ? <parts.Figures view={view} /> : null}
      {own ? (
        <>
          <p className="mb-2 flex gap-2">
            <RunProvider view={view} short />
          </p>
          <LabResultsView
            lab={lab}
            results={results}
            record={record}
            apart={headlineOf(views, lab.results)?.apart ?? null}
          />
        </>
      ) : null}
    </>
  );
}
