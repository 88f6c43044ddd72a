'use client';
import { ChartLine, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useResultTables } from '../results/tables-store';
import { DataTable } from '../run/panels/data-table';
import { IconButton } from '../ui/button';

export interface TableBehind {
  shows: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A chart under its title, with the table behind it one key away. */
export function ChartBlock(props: {
  title: string;
  /** Of its heading, below those of the page. */
  level?: 2 | 3;
  /** What the chart shows, under its title. */
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
          <IconButton
            label={shown ? `Show the chart: ${title}` : `Show the table behind: ${title}`}
            aria-pressed={shown}
            onClick={toggle}
          >
            {shown ? <ChartLine size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          </IconButton>
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
