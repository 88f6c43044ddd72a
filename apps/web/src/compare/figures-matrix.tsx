'use client';
import { changeText, footnoteOf, type Change, type FigureRow } from '@verbslab/labs';
import { transportFigureSpec, transportNameOver, type RunRecord } from '@verbslab/protocol';
import { TRANSPORT_INK } from '../parts/run/transport-figures';
import { cn } from '../ui/cn';
import { SideTable, type SideRow } from './side-table';
import type { Compared } from './use-compared';

/** Under a figure: how much more or less it is than the baseline’s. */
function ChangeCell({ change }: { change: Change }) {
  return (
    <span
      data-shows="compare-change"
      data-verdict={change.verdict}
      className={cn(
        'block text-12',
        change.verdict === 'higher' || change.verdict === 'lower' ? 'font-semibold text-ink-2' : 'text-ink-3',
      )}
    >
      {changeText(change)}
      {change.verdict === 'few' ? '*' : ''}
    </span>
  );
}

/** `RDMA/UDP goodput`, in the ink of the transport; else what the lab calls it. */
function Head({ row, records }: { row: FigureRow; records: readonly RunRecord[] }) {
  const spec = transportFigureSpec(row.name);
  if (!spec) return row.label;
  const those = records.filter((_, i) => row.figures[i]);
  return (
    <>
      <span className={cn('font-semibold', TRANSPORT_INK[spec.transport])}>
        {transportNameOver(those, spec.transport)}
      </span>{' '}
      {spec.label === 'CPU' ? 'CPU per GB' : spec.label}
    </>
  );
}

function rowOf(row: FigureRow, records: readonly RunRecord[], base: string): SideRow {
  return {
    id: row.name,
    head: (
      <span data-words>
        <Head row={row} records={records} />
      </span>
    ),
    cells: row.figures.map((figure, i) => (
      <div key={i} data-figure={row.name} data-base={base}>
        <span className="num" data-shows="compare-figure">
          {figure?.text ?? '–'}
        </span>
        {figure?.range ? (
          <span className="num block text-12 text-ink-3" data-shows="compare-range">
            {figure.range}
          </span>
        ) : null}
        {row.changes[i] ? <ChangeCell change={row.changes[i]} /> : null}
      </div>
    )),
  };
}

/** The figures of all runs side by side, each with its difference from the baseline. */
export function FiguresMatrix(props: {
  runs: readonly Compared[];
  records: readonly RunRecord[];
  rows: readonly FigureRow[];
  base: string;
}) {
  const { runs, records, rows, base } = props;
  const footnote = footnoteOf(records, rows);
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="text-16 font-semibold">
        Figures
      </h2>
      {rows.length === 0 ? (
        <p className="mt-1 text-ink-2">
          None of these runs has named figures. Open each run to see its steps, packets and checks.
        </p>
      ) : (
        <>
          <p className="mt-1 mb-2 max-w-[72ch] text-13 text-ink-2" data-words>
            Medians of the repetitions, with the lowest and the highest, and the difference from the baseline.
            “No clear difference” means that the ranges overlap. All verdicts of a page together are false
            with a chance of at most 5 %.
          </p>
          <SideTable
            label="Figures side by side"
            runs={runs}
            base={base}
            numeric
            rows={rows.map((row) => rowOf(row, records, base))}
          />
          {footnote === null ? null : <p className="mt-1 max-w-[88ch] text-12 text-ink-3">{footnote}</p>}
        </>
      )}
    </section>
  );
}
