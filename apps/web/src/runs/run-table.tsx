import type { RunRecord } from '@verbslab/protocol';
import Link from 'next/link';
import { cn } from '../ui/cn';
import { FROM_CLASS, RUN_COLUMNS, TRANSPORT_INK, type RunColumn } from './columns';
import { runHref } from './figures';

export function columnClass(c: RunColumn): string {
  return cn(
    'px-2 first:pl-0 last:pr-0',
    c.numeric ? 'text-right' : 'text-left',
    c.from && FROM_CLASS[c.from],
  );
}

export function ColumnTitle({ column }: { column: RunColumn }) {
  return (
    <>
      <span className={cn('whitespace-nowrap', column.transport && TRANSPORT_INK[column.transport])}>
        {column.title}
      </span>
      {column.unit ? <span className="unit block">{column.unit}</span> : null}
    </>
  );
}

export function RunCell({ column, run }: { column: RunColumn; run: RunRecord }) {
  if (column.id !== 'lab') return column.cell(run);
  return (
    <Link
      href={runHref(run.id)}
      className="inline-flex min-h-8 items-center font-medium hover:text-accent pointer-coarse:min-h-11"
    >
      {column.cell(run)}
    </Link>
  );
}

/** A short list of runs, as they come. */
export function RunTable({ runs }: { runs: readonly RunRecord[] }) {
  return (
    <table className="w-full">
      <thead className="border-y text-12 text-ink-3">
        <tr>
          {RUN_COLUMNS.map((c) => (
            <th key={c.id} scope="col" className={cn('h-10 align-bottom font-normal', columnClass(c))}>
              <ColumnTitle column={c} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-b">
        {runs.map((run) => (
          <tr key={run.id} className="hover:bg-hover">
            {RUN_COLUMNS.map((c) => (
              <td key={c.id} className={cn('h-9 py-1', columnClass(c), c.numeric && 'num')}>
                <RunCell column={c} run={run} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
