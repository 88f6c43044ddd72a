'use client';
import { isProgram, type RunRow as Run } from '@verbslab/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useRef, type Ref } from 'react';
import { cn } from '../ui/cn';
import { hideTip, Tip } from '../ui/tip';
import type { RunColumn } from './columns';
import { HEADLINE } from './headline';
import { RunDetails } from './run-details';
import { isOver, RunLink, showWhole } from './run-link';
import { TickBox } from './tick-box';

export interface RowProps {
  run: Run;
  /** Columns of the line, and columns with content for any run of the list. */
  columns: readonly RunColumn[];
  filled: readonly RunColumn[];
  /** True for the row that the keys move from. */
  current: boolean;
  ticked: boolean;
  open: boolean;
  onOpen: (id: string) => void;
  /** Absent if runs cannot be selected. */
  onTick?: ((id: string, on: boolean, range: boolean) => void) | undefined;
  onCurrent?: ((id: string) => void) | undefined;
  /** Index in the list and ref that measures the row, if only part of the list is drawn. */
  index?: number | undefined;
  measure?: Ref<HTMLElement> | undefined;
}

export const cellClass = (column: RunColumn): string =>
  cn('px-2 first:pl-0 last:pr-0', column.numeric ? 'text-right' : 'text-left');

const detailsId = (run: Run): string => `details-${run.id}`;

/** Columns for the details. A column in the line is omitted, except for figures. */
const detailsOf = ({ columns, filled }: RowProps): readonly RunColumn[] =>
  filled.filter((one) => one.figure !== undefined || !columns.some(({ id }) => id === one.id));

/** A run in a table: a line, with its details below when opened. */
export const RunTableRow = memo(function RunTableRow(props: RowProps) {
  const { run, columns, current, ticked, open, onTick, onCurrent, index, measure } = props;
  return (
    <tbody
      ref={measure as Ref<HTMLTableSectionElement>}
      data-index={index}
      className="border-b"
      data-run={run.id}
      onFocus={() => onCurrent?.(run.id)}
    >
      <tr
        aria-rowindex={index === undefined ? undefined : index + 2}
        className={cn('group relative h-10 hover:bg-hover', (current || ticked) && 'bg-accent-wash')}
      >
        {onTick ? (
          <td>
            <RunTick {...{ run, ticked, onTick }} />
          </td>
        ) : null}
        {columns.map((column) => (
          <td
            key={column.id}
            data-shows={column.shows}
            data-transport={column.figure?.transport}
            className={cn(
              cellClass(column),
              column.numeric && 'num',
              (column.figure || column.id === HEADLINE) && '[&_button]:relative [&_button]:z-1',
            )}
          >
            {column.id === 'lab' ? <RunName {...props} /> : column.cell(run)}
          </td>
        ))}
        <td className="text-right">
          <OpenDetails {...props} />
        </td>
      </tr>
      {open ? (
        <tr>
          {onTick ? <td /> : null}
          <td colSpan={columns.length + 1} className="px-2 first:pl-0">
            <RunDetails run={run} columns={detailsOf(props)} id={detailsId(run)} />
          </td>
        </tr>
      ) : null}
    </tbody>
  );
});

/** A run in two lines, for windows too narrow for the table. */
export const RunListItem = memo(function RunListItem(props: RowProps) {
  const { run, columns, filled, current, ticked, open, onTick, onCurrent, index, measure } = props;
  const column = (id: string) => filled.find((one) => one.id === id);
  const figure = columns.find(({ id, figure: one }) => id === HEADLINE || one !== undefined);
  return (
    <li
      ref={measure as Ref<HTMLLIElement>}
      data-index={index}
      data-run={run.id}
      aria-setsize={index === undefined ? undefined : -1}
      aria-posinset={index === undefined ? undefined : index + 1}
      onFocus={() => onCurrent?.(run.id)}
      className={cn('border-b', (current || ticked) && 'bg-accent-wash')}
    >
      <div className="group relative flex items-center gap-1 py-1 hover:bg-hover">
        {onTick ? <RunTick {...{ run, ticked, onTick }} /> : null}
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline gap-2">
            <span className="num shrink-0 text-13 text-ink-3" data-shows="run-number">
              {run.number}
            </span>
            <span className="min-w-0 flex-1">
              <RunName {...props} />
            </span>
            <span className="shrink-0 text-13">{column('state')?.cell(run)}</span>
          </div>
          {figure && figure.sort(run) !== null ? (
            <div
              className="text-13 [&_button]:relative [&_button]:z-1"
              data-shows={figure.shows}
              data-transport={figure.figure?.transport}
            >
              {figure.cell(run)}
              {figure.unit ? <span className="unit"> {figure.unit}</span> : null}
            </div>
          ) : null}
        </div>
        <OpenDetails {...props} />
      </div>
      {open ? (
        <RunDetails
          run={run}
          columns={filled.filter(({ id }) => id !== 'state' && id !== 'number')}
          id={detailsId(run)}
        />
      ) : null}
    </li>
  );
});

function RunTick({
  run,
  ticked,
  onTick,
}: Required<Pick<RowProps, 'run' | 'ticked'>> & { onTick: NonNullable<RowProps['onTick']> }) {
  return (
    <TickBox
      label={`Select run ${run.number}`}
      ticked={ticked}
      onTick={(on, range) => onTick(run.id, on, range)}
    />
  );
}

/** Name and parameters of a run in a line. If they are cut off, hover and focus show the whole text. */
function RunName({ run, filled }: Pick<RowProps, 'run' | 'filled'>) {
  const line = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const text = String(filled.find(({ id }) => id === 'parameters')?.sort(run) ?? '');
  return (
    <>
      <span ref={line} className="block truncate">
        <RunLink
          run={run}
          onFocus={() => showWhole(line.current, tip.current)}
          onBlur={() => hideTip(tip.current)}
          onPointerMove={(e) =>
            isOver(e, line.current) ? showWhole(line.current, tip.current) : hideTip(tip.current)
          }
          onPointerLeave={() => hideTip(tip.current)}
        />
        {text === '' || isProgram(run) ? null : (
          <span className="ml-3 text-13 text-ink-3" data-shows="run-parameters">
            {text}
          </span>
        )}
      </span>
      <Tip ref={tip} id={`whole-${run.id}`}>
        {run.title}
        {text === '' ? null : (
          <>
            <br />
            {text}
          </>
        )}
      </Tip>
    </>
  );
}

function OpenDetails({ run, open, onOpen }: RowProps) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? detailsId(run) : undefined}
      aria-label={`Details of run ${run.number}`}
      onClick={() => onOpen(run.id)}
      className="relative z-1 inline-flex size-8 items-center justify-center rounded-[4px] text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:size-11"
    >
      <Icon size={16} aria-hidden />
    </button>
  );
}
