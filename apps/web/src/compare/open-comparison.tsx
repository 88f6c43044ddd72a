'use client';
import {
  comparisonAnswer,
  comparisonWarnings,
  conditionWarnings,
  differencesOf,
  figureRows,
  stateNotes,
  type ComparisonAnswer,
  type Difference,
} from '@verbslab/labs';
import {
  describedBy,
  FEW_CPUS,
  isFinal,
  noResults,
  TRANSPORT_NAME,
  type RunRecord,
} from '@verbslab/protocol';
import { useEffect, useMemo } from 'react';
import { usePageHandle } from '../actions/page-store';
import { useAgent } from '../connection/store';
import { useResultTables } from '../parts/results/tables-store';
import type { Topic } from '../model/run-model';
import { useTopicsOf } from '../connection/use-session';
import { Button, PRESSED } from '../ui/button';
import type { CompareQuery } from './compare-query';
import { CostSection } from './cost-section';
import { CurvesSection } from './curves-section';
import { Differences, fieldText } from './differences';
import { FiguresMatrix } from './figures-matrix';
import { LatencySection } from './latency-section';
import { asFound } from './model/as-found';
import { lineChoice, type LineChoice } from './model/lines';
import { sharedCurves } from './model/shared-curves';
import { RunCards } from './run-cards';
import { RunPicker } from './run-picker';
import { Scatter } from './scatter';
import { SeriesSection } from './series-section';
import type { Compared, ComparedRuns } from './use-compared';

const TOPICS: readonly Topic[] = ['record', 'state', 'series', 'histogram', 'results'];

interface OpenComparisonProps {
  found: ComparedRuns;
  query: CompareQuery;
  change: (part: Partial<CompareQuery>) => void;
}

/** Runs side by side: the answer first, then the differences, figures, series, latencies and cost. */
export function OpenComparison({ found, query, change }: OpenComparisonProps) {
  const { runs } = found;
  const labs = useAgent((s) => s.labs);
  const views = useMemo(() => runs.map(({ view }) => view), [runs]);
  useTopicsOf(views, TOPICS, 'chart');
  const fewCpus = useAgent((s) => s.agent !== null && s.agent.cpus <= FEW_CPUS);
  const going = views.filter(({ model }) => !isFinal(model.record.state)).length;
  // Draws less often, so as not to use the CPU on which a run in progress is measured.
  useEffect(() => {
    for (const view of views) view.setSparing(fewCpus && going > 0);
  }, [views, fewCpus, going]);
  const toggleTables = useResultTables((s) => s.toggle);
  usePageHandle(useMemo(() => ({ 'toggle-tables': toggleTables }), [toggleTables]));

  const base = runs.find(({ id }) => id === query.base) ?? runs[0]!;
  const baseAt = runs.indexOf(base);
  const compared = runs.map(({ view }) => asFound(view.model));
  const records = compared.map(({ record }) => record);
  const rows = figureRows(compared, labs, baseAt);
  const differences = differencesOf(records, labs, fieldText);
  const reading = runs.some((run) => run.reading);
  const choice = lineChoice(runs, query.shown, query.hidden);
  const lineNames = choice.lines.map(({ key }) => key).join(', ');
  // The list is replaced only if the lines change, so that charts are not redrawn for nothing.
  // oxlint-disable-next-line react/exhaustive-deps
  const lines = useMemo(() => choice.lines, [lineNames, runs]);
  const recordOf = (id: string): RunRecord => records[runs.findIndex((run) => run.id === id)]!;
  const curves = sharedCurves(
    runs
      .map((run, i) => ({ run, one: compared[i]! }))
      .filter(({ run }) => !query.hidden.includes(run.id))
      .map(({ run, one }) => ({
        letter: run.letter,
        lab: describedBy(labs, one.record),
        results: one.results ?? one.record.result?.results ?? noResults(),
      })),
  );
  const shownRecords = records.filter(({ id }) => !query.hidden.includes(id));
  return (
    <div className="mt-3 space-y-8">
      <div>
        <Answer answer={comparisonAnswer(records, rows, baseAt)} />
        <Notes records={records} differences={differences} />
        <RunCards runs={runs} labs={labs} query={query} base={base.id} change={change} />
        <div className="mt-2">
          <RunPicker ids={query.ids} onChange={(ids) => change({ ids })} />
        </div>
      </div>
      <Differences runs={runs} all={differences} base={base.id} />
      <FiguresMatrix runs={runs} records={records} rows={rows} base={base.id} />
      {choice.all.length > 0 ? (
        <section aria-labelledby="over-time" className="space-y-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <h2 id="over-time" className="text-16 font-semibold">
              Over time
            </h2>
            <ShownTransports choice={choice} runs={runs} change={change} />
            {reading ? (
              <span role="status" className="text-13 text-ink-2">
                Reading the records…
              </span>
            ) : null}
          </div>
          <SeriesSection lines={lines} views={views} />
          <CostSection lines={lines} recordOf={recordOf} />
          <h2 className="pt-2 text-16 font-semibold">Latency</h2>
          <LatencySection lines={lines} views={views} base={base.id} />
        </section>
      ) : (
        <p className="max-w-[72ch] text-ink-2" data-nothing-over-time>
          These runs have no time series and no latency of each operation, so there is nothing to draw over
          time.
          {curves.length === 0 ? ' Open each run to see its steps, packets and checks.' : ''}
        </p>
      )}
      <CurvesSection curves={curves} />
      {choice.all.length > 0 ? (
        <section aria-labelledby="scatter">
          <h2 id="scatter" className="text-16 font-semibold">
            Throughput and cost
          </h2>
          <Scatter
            records={shownRecords}
            labelOf={({ id }) => runs.find((run) => run.id === id)?.letter ?? ''}
          />
        </section>
      ) : null}
    </div>
  );
}

/** The answer to the page's question in a sentence or two, and the figures behind it. */
function Answer({ answer }: { answer: ComparisonAnswer }) {
  const { lead, details, caveat } = answer;
  return (
    <div className="max-w-[88ch]" data-answer>
      {lead.map((sentence) => (
        <p key={sentence} className="text-16" data-shows="compare-answer">
          {sentence}
        </p>
      ))}
      <ul className="mt-1 list-disc pl-5 text-ink-2 empty:hidden">
        {details.map((sentence) => (
          <li key={sentence} data-shows="compare-answer">
            {sentence}
          </li>
        ))}
      </ul>
      {caveat === null ? null : (
        <p className="mt-1 text-ink-2" data-shows="compare-caveat">
          {caveat}
        </p>
      )}
    </div>
  );
}

/** Reasons why figures may not be comparable or complete. */
function Notes(props: { records: readonly RunRecord[]; differences: readonly Difference[] }) {
  const { records, differences } = props;
  const warnings = [...comparisonWarnings(records), ...conditionWarnings(differences)];
  return (
    <>
      {warnings.map((warning) => (
        <p
          key={warning}
          role="note"
          data-shows="compare-warning"
          className="mt-2 max-w-[88ch] border-l-2 border-retx pl-3 text-ink-2"
        >
          {warning}
        </p>
      ))}
      {stateNotes(records).map((note) => (
        <p
          key={note}
          data-shows="compare-state"
          className="mt-2 max-w-[88ch] border-l-2 border-line-strong pl-3 text-13 text-ink-2"
        >
          {note}
        </p>
      ))}
    </>
  );
}

/** Buttons that choose the transports in the charts. */
function ShownTransports(props: {
  choice: LineChoice;
  runs: readonly Compared[];
  change: OpenComparisonProps['change'];
}) {
  const { choice, change } = props;
  if (choice.all.length < 2) return null;
  return (
    <div role="group" aria-label="Transports in the charts" className="flex flex-wrap gap-2" data-words>
      {choice.all.map((one) => {
        const on = choice.shown.includes(one);
        const next = on ? choice.shown.filter((other) => other !== one) : [...choice.shown, one];
        return (
          <Button
            key={one}
            aria-pressed={on}
            className={PRESSED}
            // The last transport cannot be hidden: a chart without lines shows nothing.
            disabled={on && choice.shown.length === 1}
            onClick={() => change({ shown: choice.all.filter((other) => next.includes(other)) })}
          >
            {TRANSPORT_NAME[one]}
          </Button>
        );
      })}
    </div>
  );
}
