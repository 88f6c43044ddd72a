'use client';
import type { RunRow as Run } from '@verbslab/protocol';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useCallback, useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { cn } from '../ui/cn';
import { useWidth } from '../ui/use-width';
import { columnName, filledColumns, tableColumns, titled, type RunColumn } from './columns';
import type { Sort } from '../parts/run/list-query';
import { cellClass, RunListItem, RunTableRow } from './run-row';
import type { Selection } from './selection';
import { TickBox } from './tick-box';
import { TRANSPORT_INK } from '../parts/run/transport-figures';
import { useDrawnRows } from './use-drawn-rows';

export interface Ticking {
  selection: Selection;
  onTick: (id: string, on: boolean, range: boolean) => void;
  onAll: (on: boolean) => void;
}

interface RunTableProps {
  runs: readonly Run[];
  columns: readonly RunColumn[];
  /** Column of the figure in each line. Default: the headline of each lab. */
  figure?: string;
  /** Absent if the order is fixed. */
  sort?: Sort;
  onSort?: (id: string) => void;
  /** Absent if runs cannot be selected. */
  ticking?: Ticking;
  /** Content above the table. Arguments: true if it is drawn as a list, and the columns with content for any run. */
  above?: (isList: boolean, filled: readonly RunColumn[]) => ReactNode;
  current?: string | null;
  onCurrent?: (id: string) => void;
  /** Scrolls to the row of a run and focuses it. */
  ref?: Ref<RunRows>;
}

export interface RunRows {
  focus: (id: string) => void;
}

/** Runs, one per line with a figure: a table, or a list of two lines in a narrow window. */
export function RunTable(props: RunTableProps) {
  const { runs, columns, figure, ticking, above, current = null, onCurrent, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const onOpen = useCallback(
    (id: string) =>
      setOpened((old) => {
        const next = new Set(old);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  // A string, which stays equal while the columns do, so that rows are not redrawn.
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
  const shown = useMemo(
    () => (width === null ? null : tableColumns(filled, width, figure)),
    [filled, width, figure],
  );
  const line = useMemo(
    () => shown ?? tableColumns(filled, Number.POSITIVE_INFINITY, figure)!,
    [shown, filled, figure],
  );
  const { drawn, before, after, measure, focus } = useDrawnRows(
    frame,
    runs,
    shown === null ? 'list' : 'table',
  );
  useImperativeHandle(ref, () => ({ focus }), [focus]);
  const row = ({ run, index }: { run: Run; index: number | undefined }) => ({
    ...{ run, index, measure: index === undefined ? undefined : measure },
    columns: line,
    filled,
    current: current === run.id,
    ticked: ticking?.selection.has(run.id) ?? false,
    open: opened.has(run.id),
    onOpen,
    onTick: ticking?.onTick,
    onCurrent,
  });
  const medians = runs.some(({ result }) =>
    Object.values(result?.transports ?? {}).some((one) => (one.roundCount ?? 1) > 1),
  );
  const partial = runs.some(({ result }) =>
    Object.values(result?.transports ?? {}).some((one) => one.partial === true),
  );
  return (
    <div ref={frame}>
      {width === null ? null : above?.(shown === null, filled)}
      {width === null ? null : shown !== null ? (
        <table className="w-full table-fixed" aria-rowcount={runs.length + 1}>
          <Head {...props} columns={shown} />
          <Gap height={before} as="tbody" />
          {drawn.map((one) => (
            <RunTableRow key={one.run.id} {...row(one)} />
          ))}
          <Gap height={after} as="tbody" />
        </table>
      ) : (
        <>
          {ticking ? (
            <div className="flex items-center gap-2 border-t text-13 text-ink-3">
              <TickAll runs={runs} ticking={ticking} />
              <span aria-hidden>Select all</span>
            </div>
          ) : null}
          <ul className="border-t">
            <Gap height={before} as="li" />
            {drawn.map((one) => (
              <RunListItem key={one.run.id} {...row(one)} />
            ))}
            <Gap height={after} as="li" />
          </ul>
        </>
      )}
      {medians ? (
        <p className="mt-2 text-12 text-ink-3">
          Goodput and CPU of several rounds are medians. Point at one, or tap it, to see its lowest and its
          highest round.
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

/** Space of the rows that are not drawn. */
function Gap({ height, as: Tag }: { height: number; as: 'tbody' | 'li' }) {
  if (height <= 0) return null;
  return <Tag aria-hidden style={{ height, ...(Tag === 'tbody' ? { display: 'block' } : {}) }} />;
}

function TickAll({ runs, ticking }: { runs: readonly Run[]; ticking: Ticking }) {
  const picked = runs.filter(({ id }) => ticking.selection.has(id)).length;
  return (
    <TickBox
      label={runs.length === 1 ? 'Select the run shown' : `Select all ${runs.length} runs shown`}
      ticked={picked > 0 && picked === runs.length}
      mixed={picked > 0 && picked < runs.length}
      onTick={ticking.onAll}
    />
  );
}

function Head({ runs, columns, sort, onSort, ticking }: RunTableProps) {
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
              style={column.id === 'lab' ? undefined : { width: `${column.width}rem` }}
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
        <th scope="col" className="w-10">
          <span className="sr-only">Details</span>
        </th>
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
