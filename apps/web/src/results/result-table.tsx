import type { TableView } from '@verbslab/labs';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

interface ResultTableProps {
  table: TableView;
  shows: `${'result' | 'explained'}-${'table' | 'curve'}`;
  /** A column of the page's own, before the first number. */
  aside?: { label: string; of: (row: number) => ReactNode };
}

/** Rows beyond which a table scrolls in a frame of its own. */
const TALL = 40;

/** Characters from which a cell breaks into lines. */
const LONG = 40;

/** A table of results: units in its head, numbers to the right. */
export function ResultTable({ table, shows, aside }: ResultTableProps) {
  const units = table.columns.some(({ unit }) => unit !== '');
  const first = table.columns.findIndex(({ numeric }) => numeric);
  const withAside = (cells: ReactNode[], own: ReactNode): ReactNode[] =>
    aside ? cells.toSpliced(first < 0 ? cells.length : first, 0, own) : cells;
  return (
    <div
      className={cn('thin-scroll overflow-auto', table.rows.length > TALL && 'max-h-96 border-b')}
      tabIndex={0}
      role="group"
      aria-label={table.label}
      data-result={table.name}
      data-columns={table.columns.map(({ name }) => name).join(' ')}
    >
      <table className="text-13" data-shows={shows}>
        <caption className="sr-only">{table.label}</caption>
        <thead className="sticky top-0 bg-page text-12 text-ink-3">
          <tr className="border-b">
            {withAside(
              table.columns.map(({ name, label, unit, numeric }) => (
                <Head key={name} label={label} unit={units ? unit : null} numeric={numeric} />
              )),
              <Head key=" aside" label={aside?.label ?? ''} unit={units ? '' : null} numeric={false} />,
            )}
          </tr>
        </thead>
        <tbody className="divide-y border-b">
          {table.rows.map((row, i) => (
            <tr key={i}>
              {withAside(
                row.map((cell, j) => (
                  <td
                    key={j}
                    className={cn(
                      'h-7 px-3 first:pl-0',
                      table.columns[j]?.numeric ? 'num text-right' : 'text-left',
                      cell.length > LONG ? 'max-w-prose min-w-56 py-1' : 'whitespace-nowrap',
                    )}
                  >
                    {cell}
                  </td>
                )),
                <td key="aside" className="px-3">
                  {aside?.of(i)}
                </td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A unit below the label; null where no column of the table has one. */
function Head({ label, unit, numeric }: { label: string; unit: string | null; numeric: boolean }) {
  return (
    <th
      scope="col"
      className={cn('h-8 px-3 align-bottom font-normal first:pl-0', numeric ? 'text-right' : 'text-left')}
    >
      {label}
      {unit === null ? null : <span className="unit block">{unit === '' ? '\u00a0' : unit}</span>}
    </th>
  );
}
