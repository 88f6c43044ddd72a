'use client';
import { isProgram, type RunRecord } from '@verbslab/protocol';
import { memo, useRef, type RefObject } from 'react';
import { hideTip, Tip } from '../ui/tip';
import { cn } from '../ui/cn';
import { hasCell, type RunColumn } from './columns';
import { isOver, Parameters, RunLink, showWhole } from './run-link';
import { TickBox } from './tick-box';

export interface RowProps {
  run: RunRecord;
  columns: readonly RunColumn[];
  /** The row that the keys move from. */
  current: boolean;
  ticked: boolean;
  /** Absent where runs cannot be ticked. */
  onTick?: ((id: string, on: boolean, range: boolean) => void) | undefined;
  onCurrent?: ((id: string) => void) | undefined;
}

export const cellClass = (column: RunColumn): string =>
  cn('px-2 first:pl-0 last:pr-0', column.numeric ? 'text-right' : 'text-left');

/** One run in a table. `full`: details have columns of their own; else they stand below its name. */
export const RunRow = memo(function RunRow(props: RowProps & { full: boolean }) {
  const { run, columns, current, ticked, onTick, onCurrent, full } = props;
  const nameRef = useRef<HTMLAnchorElement>(null);
  const lineRef = useRef<HTMLSpanElement>(null);
  const tipRef = useRef<HTMLSpanElement>(null);
  const parameters = columns.find(({ id }) => id === 'parameters');
  const text = parameters ? String(parameters.sort(run) ?? '') : '';
  // The name of a program is its command line, which takes the place of the parameters too.
  const program = isProgram(run);
  const wide = full && program && columns.some(({ id }) => id === 'parameters');
  const own = columns.filter(({ id, detail }) => (full ? !(wide && id === 'parameters') : !detail));
  const cut = () => (program ? nameRef.current : lineRef.current);
  return (
    <tr
      data-run={run.id}
      onFocus={() => onCurrent?.(run.id)}
      className={cn('group relative hover:bg-hover', (current || ticked) && 'bg-accent-wash')}
    >
      {onTick ? (
        <td className={cn('py-0.5', !full && 'align-top')}>
          <TickBox
            label={`Select run ${run.number}`}
            ticked={ticked}
            onTick={(on, range) => onTick(run.id, on, range)}
          />
        </td>
      ) : null}
      {own.map((column) => (
        <td
          key={column.id}
          colSpan={wide && column.id === 'lab' ? 2 : undefined}
          data-shows={column.id === 'parameters' ? undefined : column.shows}
          data-transport={column.figure?.transport}
          className={cn(
            'h-9 py-1',
            cellClass(column),
            column.numeric && 'num',
            !full && 'align-top',
            !full && column.id === 'lab' && 'w-full max-w-0',
            column.figure && '[&_button]:relative [&_button]:z-1',
          )}
        >
          {column.id === 'lab' ? (
            <>
              <RunLink
                run={run}
                ref={nameRef}
                className="block truncate"
                onFocus={() => showWhole(cut(), tipRef.current)}
                onBlur={() => hideTip(tipRef.current)}
                onPointerMove={(e) =>
                  isOver(e, cut()) ? showWhole(cut(), tipRef.current) : hideTip(tipRef.current)
                }
                onPointerLeave={() => hideTip(tipRef.current)}
              />
              {program ? (
                <Tip ref={tipRef} id={`command-${run.id}`}>
                  {run.title}
                </Tip>
              ) : null}
              {full ? null : <Details {...{ run, columns, text, lineRef, tipRef }} />}
            </>
          ) : column.id === 'parameters' ? (
            <Parameters {...{ run, text, lineRef, tipRef }} />
          ) : (
            column.cell(run)
          )}
        </td>
      ))}
    </tr>
  );
});

/** What has no column of its own: the parameters, and a line of the rest. */
function Details(props: {
  run: RunRecord;
  columns: readonly RunColumn[];
  text: string;
  lineRef: RefObject<HTMLSpanElement | null>;
  tipRef: RefObject<HTMLSpanElement | null>;
}) {
  const { run, columns, text, lineRef, tipRef } = props;
  return (
    <>
      {text === '' ? null : <Parameters {...{ run, text, lineRef, tipRef }} />}
      <div className="flex flex-wrap items-baseline gap-x-3 text-13 text-ink-3">
        {columns
          .filter((column) => column.detail && column.id !== 'parameters' && hasCell(column, run))
          .map((column) => (
            <span key={column.id}>
              {column.lead ? `${column.lead} ` : null}
              <span data-shows={column.shows}>{column.cell(run)}</span>
              {column.unit ? <span className="unit"> {column.unit}</span> : null}
            </span>
          ))}
      </div>
    </>
  );
}
