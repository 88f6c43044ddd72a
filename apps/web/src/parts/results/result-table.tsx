import type { TableView } from '@verbslab/labs';
import { Fragment, type ReactNode } from 'react';
import { cn } from '../../ui/cn';

interface ResultTableProps {
  table: TableView;
  shows: `${'result' | 'explained'}-${'table' | 'curve'}` | 'against-first' | 'fabric-series';
  /** Additional column of the page, before the first number. */
  aside?: { label: string; of: (row: number) => ReactNode };
}

/** Number of rows above which a table scrolls in a frame of its own. */
const TALL = 40;

/**
 * Longest text of a cell that stays on a line, and the longest that may not take the width of a paragraph, in
 * characters.
 */
const SHORT = 12;
const LONG = 40;

/** Number of columns from which they are narrower and closer together. */
const MANY = 9;

/** Style of the first column, which stays in place while the table scrolls sideways. */
const STAYS = 'max-sm:sticky max-sm:left-0 max-sm:min-w-28 max-sm:bg-page';

/** Numbers stay on a line. Texts only wrap if the table would otherwise be wider than its container. */
function cellStyle(text: string, numeric: boolean, many: boolean): string {
  if (numeric) return 'num text-right whitespace-nowrap';
  if (text.length <= SHORT) return 'whitespace-nowrap';
  if (text.length <= LONG) return many ? 'min-w-20 py-1' : 'min-w-28 py-1';
  return many ? 'max-w-prose min-w-32 py-1' : 'max-w-prose min-w-44 py-1';
}

/** A name such as `retransmitted_pkts` may break after each underscore. */
const breakable = (text: string): ReactNode =>
  text.split(/(?<=_)/).map((part, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));

/** A table of results, with units in its head and numbers to the right. */
export function ResultTable({ table, shows, aside }: ResultTableProps) {
  const units = table.columns.some(({ unit }) => unit !== '');
  const many = table.columns.length >= MANY;
  const pad = many ? 'px-1.5' : 'px-3';
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
        <thead className="sticky top-0 z-10 bg-page text-12 text-ink-3">
          <tr className="border-b">
            {withAside(
              table.columns.map(({ name, label, unit, numeric }, j) => (
                <Head
                  key={name}
                  label={label}
                  unit={units ? unit : null}
                  numeric={numeric}
                  pad={pad}
                  stays={j === 0}
                />
              )),
              <Head
                key=" aside"
                label={aside?.label ?? ''}
                unit={units ? '' : null}
                numeric={false}
                pad={pad}
              />,
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
                      'h-7 first:pl-0',
                      pad,
                      j === 0 && STAYS,
                      cellStyle(cell, table.columns[j]?.numeric ?? false, many),
                    )}
                  >
                    {many ? breakable(cell) : cell}
                  </td>
                )),
                <td key="aside" className={pad}>
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

/** A unit below the label; null if no column of the table has one. */
function Head(props: { label: string; unit: string | null; numeric: boolean; pad: string; stays?: boolean }) {
  const { label, unit, numeric, pad, stays = false } = props;
  return (
    <th
      scope="col"
      className={cn(
        'h-8 align-bottom font-normal first:pl-0',
        pad,
        stays && STAYS,
        numeric ? 'text-right' : 'text-left',
      )}
    >
      {label}
      {unit === null ? null : <span className="unit block">{unit === '' ? '\u00a0' : unit}</span>}
    </th>
  );
}
