'use client';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { RunMark } from './run-mark';
import type { Compared } from './use-compared';

export interface SideRow {
  id: string;
  head: ReactNode;
  /** Cells, one per run. */
  cells: ReactNode[];
  marked?: boolean;
}

/** Runs side by side: a column for each, a row for each thing. */
export function SideTable(props: {
  label: string;
  runs: readonly Compared[];
  base: string;
  rows: readonly SideRow[];
  numeric?: boolean;
}) {
  const { label, runs, base, rows, numeric = false } = props;
  return (
    <div className="thin-scroll overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="text-13">
        <caption className="sr-only">{label}</caption>
        <thead className="text-12 text-ink-3">
          <tr className="border-b">
            <td />
            {runs.map((run) => (
              <th
                key={run.id}
                scope="col"
                className={cn('h-8 px-3 font-normal', numeric ? 'text-right' : 'text-left')}
              >
                <span className="inline-flex items-center gap-1.5">
                  <RunMark letter={run.letter} index={run.index} />
                  Run {run.view.model.record.number}
                  {run.id === base ? <span className="text-ink-2">baseline</span> : null}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-b">
          {rows.map(({ id, head, cells, marked = false }) => (
            <tr key={id} data-row={id} className={cn(marked && 'bg-accent-wash')}>
              <th
                scope="row"
                className={cn(
                  'min-w-32 py-1.5 pr-3 text-left align-top font-normal text-ink-2',
                  marked && 'border-l-2 border-accent pl-2',
                )}
              >
                {head}
              </th>
              {cells.map((cell, i) => (
                <td
                  key={runs[i]!.id}
                  data-run={runs[i]!.id}
                  className={cn(
                    'px-3 py-1.5 align-top',
                    numeric ? 'text-right whitespace-nowrap' : 'max-w-64 min-w-28 wrap-break-word',
                  )}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
