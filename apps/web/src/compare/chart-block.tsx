'use client';
import type { ReactNode } from 'react';
import { useResultTables } from '../parts/results/tables-store';
import { DataTable } from '../ui/data-table';
import { TableSwitch } from '../ui/table-switch';

export interface TableBehind {
  shows: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A chart under its title. A key switches to the table behind it. */
export function ChartBlock(props: {
  title: string;
  /** Heading level. */
  level?: 2 | 3;
  /** Description of the chart, under its title. */
  text?: ReactNode;
  aside?: ReactNode;
  height?: string;
  table: TableBehind;
  children: ReactNode;
}) {
  const { title, level = 3, text, aside, height = 'h-64', table, children } = props;
  const Heading = `h${level}` as const;
  const { shown, toggle } = useResultTables();
  return (
    <section aria-label={title} data-chart={table.shows}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
        <Heading className="text-14 font-semibold">{title}</Heading>
        <span className="flex items-center gap-3 text-13">
          {aside}
          <TableSwitch of={title} shown={shown} onToggle={toggle} />
        </span>
      </div>
      {text === undefined ? null : (
        <div className="mb-1 max-w-[72ch] text-13 text-ink-2" data-words>
          {text}
        </div>
      )}
      {shown ? (
        <div className="max-h-96 overflow-hidden [&>*]:max-h-96 [&>*]:px-0">
          <DataTable shows={table.shows} caption={title} head={table.head} rows={table.rows} />
        </div>
      ) : (
        <div className={`chart ${height}`} data-words>
          {children}
        </div>
      )}
    </section>
  );
}
