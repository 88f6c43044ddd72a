'use client';
import type { RunRecord } from '@verbslab/protocol';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef, type ReactNode } from 'react';
import { cn } from '../ui/cn';
import { useWidth } from '../ui/use-width';
import {
  columnName,
  filledColumns,
  layoutFor,
  mixesClocks,
  titled,
  TRANSPORT_INK,
  type Layout,
  type RunColumn,
} from './columns';
import type { Sort } from './list-query';
import { RunFacts } from './run-facts';
import { cellClass, RunRow } from './run-row';
import type { Selection } from './selection';
import { TickBox } from './tick-box';
import { LATENCY_CLOCKS } from './latency-clocks';

export interface Ticking {
  selection: Selection;
  onTick: (id: string, on: boolean, range: boolean) => void;
  onAll: (on: boolean) => void;
}

interface RunTableProps {
  runs: readonly RunRecord[];
  columns: readonly RunColumn[];
  /** Absent where the order is fixed. */
  sort?: Sort;
  onSort?: (id: string) => void;
  /** Absent where runs cannot be ticked. */
  ticking?: Ticking;
  /** Said above the table; given how the columns fit. */
  above?: (layout: Layout) => ReactNode;
  current?: string | null;
  onCurrent?: (id: string) => void;
}

/** Runs with their figures: a table as wide as the window allows, or a list of facts where it is too narrow for one. */
export function RunTable(props: RunTableProps) {
  const { runs, columns, ticking, above, current = null, onCurrent } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  // One text, which stays equal while the columns do: rows then need not draw again.
  const names = filledColumns(columns, runs)
    .map(({ id, title }) => `${id}\t${title}`)
    .join('\n');
  const filled = useMemo(() => {
    const titles = new Map(names.split('\n').map((line) => line.split('\t') as [string, string]));
    return columns.flatMap((column) => {
      const title = titles.get(column.id);
      return title === undefined ? [] : [titled(column, title)];
    });
  }, [columns, names]);
  const layout = width === null ? null : layoutFor(filled, width);
  const full = layout === 'full';
  const row = (run: RunRecord) => ({
    run,
    columns: filled,
    current: current === run.id,
    ticked: ticking?.selection.has(run.id) ?? false,
    onTick: ticking?.onTick,
    onCurrent,
  });
  const medians = runs.some((run) =>
    Object.values(run.result?.transports ?? {}).some((one) => (one.rounds?.length ?? 1) > 1),
  );
  const partial = runs.some((run) =>
    Object.values(run.result?.transports ?? {}).some((one) => one.partial === true),
  );
  return (
    <div ref={frame}>
      {layout ? above?.(layout) : null}
      {layout === null ? null : layout !== 'list' ? (
        <table className={cn('w-full', full && 'table-fixed')}>
          <Head {...props} columns={full ? filled : filled.filter(({ detail }) => !detail)} full={full} />
          <tbody className="divide-y border-b">
            {runs.map((run) => (
              <RunRow key={run.id} {...row(run)} full={full} />
            ))}
          </tbody>
        </table>
      ) : (
        <>
          {ticking ? (
            <div className="flex items-center gap-2 border-t text-13 text-ink-3">
              <TickAll runs={runs} ticking={ticking} />
              <span aria-hidden>Select all</span>
            </div>
          ) : null}
          <ul className="divide-y border-y">
            {runs.map((run) => (
              <RunFacts key={run.id} {...row(run)} />
            ))}
          </ul>
        </>
      )}
      {medians ? (
        <p className="mt-2 text-12 text-ink-3">
          Goodput and CPU of several rounds are medians. Point at one, or tap it, to see its lowest and its
          highest round.
        </p>
      ) : null}
      {mixesClocks(filled, runs) ? (
        <p className="mt-2 text-12 text-ink-3" data-own-clocks>
          {LATENCY_CLOCKS}
        </p>
      ) : null}
      {partial ? (
        <p className="mt-2 text-12 text-ink-3">
          * Partial: the run ended early, and the figure covers the time until then.
        </p>
      ) : null}
    </div>
  );
}

function TickAll({ runs, ticking }: { runs: readonly RunRecord[]; ticking: Ticking }) {
  const picked = runs.filter(({ id }) => ticking.selection.has(id)).length;
  return (
    <TickBox
      label={`Select all ${runs.length} runs shown`}
      ticked={picked > 0 && picked === runs.length}
      mixed={picked > 0 && picked < runs.length}
      onTick={ticking.onAll}
    />
  );
}

function Head({ runs, columns, sort, onSort, ticking, full }: RunTableProps & { full: boolean }) {
  return (
    <thead className="text-12 text-ink-3">
      <tr className="[&>*]:sticky [&>*]:top-12 [&>*]:z-5 [&>*]:bg-page [&>*]:shadow-[inset_0_1px_0_var(--line),inset_0_-1px_0_var(--line)]">
        {ticking ? (
          <th scope="col" className="w-8 align-bottom">
            <TickAll runs={runs} ticking={ticking} />
          </th>
        ) : null}
        {columns.map((column) => {
          const direction = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={onSort ? (direction ?? 'none') : undefined}
              className={cn('h-10 align-bottom font-normal', cellClass(column))}
              style={full && !column.grows ? { width: `${column.width}rem` } : undefined}
            >
              {onSort ? (
                <button
                  type="button"
                  title={columnName(column)}
                  onClick={() => onSort(column.id)}
                  className={cn(
                    'inline-flex h-10 items-end gap-1 pb-0.5 pointer-coarse:h-11',
                    column.numeric && 'flex-row-reverse text-right',
                  )}
                >
                  <ColumnTitle column={column} />
                  {direction === 'descending' ? <ArrowDown size={12} aria-hidden /> : null}
                  {direction === 'ascending' ? <ArrowUp size={12} aria-hidden /> : null}
                </button>
              ) : (
                <ColumnTitle column={column} />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function ColumnTitle({ column: { title, unit, figure } }: { column: RunColumn }) {
  return (
    <span>
      <span className={cn('whitespace-nowrap', figure && TRANSPORT_INK[figure.transport])}>{title}</span>
      {unit ? (
        <span className="block whitespace-nowrap">
          {figure?.heading} <span className="unit">{unit}</span>
        </span>
      ) : null}
    </span>
  );
}
