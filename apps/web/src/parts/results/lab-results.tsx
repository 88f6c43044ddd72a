'use client';
import type { Mark } from '@verbslab/charts';
import { noun, resultViews, type CurveView, type FigureView, type TableView } from '@verbslab/labs';
import {
  isEmpty,
  isFinal,
  type LabDescription,
  type LabResults,
  type Note,
  type RunRecord,
} from '@verbslab/protocol';
import { useMemo, type ReactNode } from 'react';
import { cn } from '../../ui/cn';
import { TableSwitch } from '../../ui/table-switch';
import { Gloss } from '../../ui/gloss';
import { Words } from '../../ui/words';
import { LateBars, LateCurve } from './late-curve';
import { ResultTable } from './result-table';
import { useResultTables } from './tables-store';

interface LabResultsProps {
  lab: Pick<LabDescription, 'results' | 'predictions' | 'watch'> | null;
  results: LabResults;
  record: Pick<RunRecord, 'state'> & Partial<Pick<RunRecord, 'result'>>;
  /** Name of a curve or table that the page shows elsewhere. */
  apart?: string | null;
}

/** Results of a run under the names that its lab declares: figures, curves, tables. They fill in during the run. */
export function LabResultsView({ lab, results, record, apart = null }: LabResultsProps) {
  // The model adds to its results in place, so the views are made at each drawing.
  const { figures, tables, curves } = resultViews(results, lab ?? undefined);
  if (isEmpty(results))
    return (
      <p className="text-ink-2">
        {isFinal(record.state)
          ? 'The run ended before it found anything.'
          : 'Results appear here as soon as the run has them.'}
      </p>
    );
  return (
    <div className="space-y-8">
      {figures.length > 0 ? <Figures list={figures} /> : null}
      {curves.map((curve) =>
        curve.name === apart ? null : <RunCurve key={curve.name} curve={curve} height="h-72" />,
      )}
      {tables.map((table) => (table.name === apart ? null : <TableBlock key={table.name} table={table} />))}
      {lab?.watch.includes('findings') ? null : <Notes list={record.result?.notes ?? []} />}
      {isFinal(record.state) && record.state !== 'done' ? (
        <p className="text-13 text-ink-2">Partial results: the run ended before it was complete.</p>
      ) : null}
    </div>
  );
}

export function TableBlock({ table, heading }: { table: TableView; heading?: Heading }) {
  const { bars } = table;
  const { shown, toggle } = useResultTables();
  return (
    <Block
      title={table.label}
      text={table.text}
      heading={heading}
      aside={bars ? <TableSwitch of={table.label} shown={shown} onToggle={toggle} /> : null}
    >
      {bars && !shown ? (
        <LateBars bars={bars} name={table.name} />
      ) : (
        <ResultTable table={table} shows="result-table" />
      )}
    </Block>
  );
}

/**
 * Notes of the lab on this run: above all, values that could not be measured, and why. Labs that watch throughput have
 * a panel for them.
 */
function Notes({ list }: { list: readonly Note[] }) {
  const notes = list.filter(({ caveat }) => !caveat);
  if (notes.length === 0) return null;
  return (
    <Block title={noun(notes.length, 'Note')}>
      <ul className="prose space-y-1 text-13 text-ink-2">
        {notes.map(({ text }, i) => (
          <li key={i} data-shows="note">
            <Words>{text}</Words>
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** Level of a title: below that of a fold, or of the page itself. */
type Heading = 'h2' | 'h3';

/** A result with its title, and actions beside it. The headline of a page is no landmark: the whole result may follow below. */
export function Block(props: {
  title: string;
  heading?: Heading | undefined;
  text?: string | undefined;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { heading: Title = 'h3' } = props;
  return (
    <section aria-label={props.heading === undefined ? props.title : undefined}>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <Title className="text-14 font-semibold">{props.title}</Title>
        {props.aside}
      </div>
      {props.text === undefined ? null : (
        <p className="prose mb-2 text-13 text-ink-2" data-words>
          <Gloss>{props.text}</Gloss>
        </p>
      )}
      {props.children}
    </section>
  );
}

/** Origin of a statement: the result of a run, or an explanation computed from it. */
export type StatedAs = 'result' | 'explained';

export function Figures({ list, as = 'result' }: { list: readonly FigureView[]; as?: StatedAs }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-8 gap-y-5">
      {list.map(({ name, label, text, shown, spread, n }) => (
        <div key={name} data-result={name}>
          <dt className="text-13 text-ink-2" data-words>
            {label}
          </dt>
          <dd>
            <span className="num text-20 font-medium" data-shows={`${as}-figure`}>
              {shown.value}
              {shown.unit === '' ? null : <span className="unit text-14">&nbsp;{shown.unit}</span>}
            </span>
            {spread === null && n === null ? null : (
              <span className="num block text-12 text-ink-3" data-shows={`${as}-spread`}>
                {[spread, n === null ? null : `n = ${n.toLocaleString('en-GB')}`].filter(Boolean).join(', ')}
              </span>
            )}
            {text === undefined ? null : (
              <span className="block max-w-[34ch] text-12 text-ink-3" data-words>
                <Gloss>{text}</Gloss>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A curve of a run that may still grow. `height`: class of the chart. */
export function RunCurve(props: { curve: CurveView; height: string; heading?: Heading }) {
  const { curve, ...look } = props;
  // Points are added in place; their number tells whether the curve has changed.
  const points = curve.series.reduce((sum, one) => sum + one.points.length, 0);
  // oxlint-disable-next-line react/exhaustive-deps
  const still = useMemo(() => curve, [curve.name, points]);
  return <CurveBlock curve={still} {...look} />;
}

/** A curve as a chart or as the table behind it. It is redrawn if `curve` is another object. */
export function CurveBlock(props: {
  curve: CurveView;
  marks?: readonly Mark[];
  as?: StatedAs;
  height?: string;
  heading?: Heading;
}) {
  const { curve, marks, as = 'result', height = 'h-72', heading } = props;
  const { shown, toggle } = useResultTables();
  return (
    <Block
      title={curve.label}
      text={curve.text}
      heading={heading}
      aside={<TableSwitch of={curve.label} shown={shown} onToggle={toggle} />}
    >
      {shown ? (
        <ResultTable table={curve.table} shows={`${as}-curve`} />
      ) : (
        <div className={cn('chart', height)} data-words>
          <LateCurve curve={curve} {...(marks ? { marks } : {})} />
        </div>
      )}
    </Block>
  );
}
