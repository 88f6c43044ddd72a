import type { TableView } from '@verbslab/labs';
import { Fragment, type ReactNode } from 'react';
import { cn } from '../../ui/cn';

interface ResultTableProps {
  table: TableView;
  shows: `${'result' | 'explained'}-${'table' | 'curve'}`;
  /** A column of the page's own, before the first number. */
  aside?: { label: string; of: (row: number) => ReactNode };
}

/** Rows beyond which a table scrolls in a frame of its own. */
const TALL = 40;

/** Characters up to which the text of a cell stays on one line, and those from which it may take a paragraph’s width. */
const SHORT = 12;
const LONG = 40;

/** Columns from which they stand closer together and get narrower. */
const MANY = 9;

/** Where a table scrolls sideways, its first column stays and says what a row is about. */
const STAYS = 'max-sm:sticky max-sm:left-0 max-sm:min-w-28 max-sm:bg-page';

/** Numbers stay on one line. Texts break, but only where the table would be wider than its place. */
function cellStyle(text: string, numeric: boolean, many: boolean): string {
  if (numeric) return 'num text-right whitespace-nowrap';
  if (text.length <= SHORT) return 'whitespace-nowrap';
  if (text.length <= LONG) return many ? 'min-w-20 py-1' : 'min-w-28 py-1';
  return many ? 'max-w-prose min-w-32 py-1' : 'max-w-prose min-w-44 py-1';
}

/** A name such as `retransmitted_pkts` may break behind each underscore. */
const breakable = (text: string): ReactNode =>
  text.split(/(?<=_)/).map((part, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));

/** A table of results: units in its head, numbers to the right. */
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

/** A unit below the label; null where no column of the table has one. */
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
