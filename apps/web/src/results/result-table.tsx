import type { TableView } from '@verbslab/labs';
import { cn } from '../ui/cn';

/** A table of results: units in its head, numbers to the right. */
export function ResultTable({ table, shows }: { table: TableView; shows: 'result-table' | 'result-curve' }) {
  const units = table.columns.some(({ unit }) => unit !== '');
  return (
    <div
      className="thin-scroll max-h-96 overflow-auto"
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
            {table.columns.map(({ name, label, unit, numeric }) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  'h-8 px-3 align-bottom font-normal first:pl-0',
                  numeric ? 'text-right' : 'text-left',
                )}
              >
                {label}
                {units ? <span className="unit block">{unit === '' ? '\u00a0' : unit}</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-b">
          {table.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td
                  key={j}
                  className={cn(
                    'h-7 px-3 whitespace-nowrap first:pl-0',
                    table.columns[j]?.numeric ? 'num text-right' : 'text-left',
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
