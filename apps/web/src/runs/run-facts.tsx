'use client';
import { linkOfRun, transportName, type RunRecord, type Transport } from '@verbslab/protocol';
import { memo } from 'react';
import { cn } from '../ui/cn';
import { hasCell, TRANSPORT_INK, type RunColumn } from './columns';
import { RunLink } from './run-link';
import type { RowProps } from './run-row';
import { TickBox } from './tick-box';

/** One run as a list of facts: for windows too narrow for the table. */
export const RunFacts = memo(function RunFacts(props: RowProps) {
  const { run, columns, current, ticked, onTick, onCurrent } = props;
  const column = (id: string) => columns.find((one) => one.id === id);
  const details = columns.filter((one) => one.detail && hasCell(one, run));
  return (
    <li
      data-run={run.id}
      onFocus={() => onCurrent?.(run.id)}
      className={cn('group relative flex gap-2 py-3', (current || ticked) && 'bg-accent-wash')}
    >
      {onTick ? (
        <span className="-mt-1.5 shrink-0 pointer-coarse:-mt-3">
          <TickBox
            label={`Select run ${run.number}`}
            ticked={ticked}
            onTick={(on, range) => onTick(run.id, on, range)}
          />
        </span>
      ) : null}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="min-w-0">
            <span className="num text-ink-3" data-shows="run-number">
              {run.number}
            </span>{' '}
            <RunLink run={run} className="wrap-anywhere" />
          </span>
          {column('state')?.cell(run)}
        </div>
        <dl className="mt-1 grid grid-cols-[6rem_1fr] gap-x-3 text-13">
          {details.map((one) => (
            <div key={one.id} className="contents">
              <dt className="text-ink-3">{one.title}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <span className={cn(one.numeric && 'num')} data-shows={one.shows}>
                  {one.cell(run)}
                </span>
                {one.unit ? <span className="unit"> {one.unit}</span> : null}
              </dd>
            </div>
          ))}
        </dl>
        <Figures run={run} columns={columns} />
      </div>
    </li>
  );
});

function FigureCell(props: { run: RunRecord; transport: Transport; column: RunColumn | undefined }) {
  const { run, transport, column } = props;
  return (
    <td className="num pl-2 text-right" data-shows={column?.shows} data-transport={transport}>
      {column?.cell(run)}
    </td>
  );
}

/** A line for each figure, a column for each transport. */
function Figures({ run, columns }: { run: RunRecord; columns: readonly RunColumn[] }) {
  const cells = columns.flatMap((column) =>
    column.figure && hasCell(column, run) ? [{ column, ...column.figure }] : [],
  );
  if (cells.length === 0) return null;
  const transports = [...new Set<Transport>(cells.map(({ transport }) => transport))];
  const measures = [...new Set(cells.map(({ measure }) => measure))];
  return (
    <table className="mt-1 w-full max-w-[30rem] text-13 [&_button]:relative [&_button]:z-1">
      <thead>
        <tr>
          <td />
          {transports.map((t) => (
            <th
              key={t}
              scope="col"
              className={cn(
                'text-right font-medium whitespace-nowrap',
                transports.length > 2 ? 'pl-2' : 'w-24',
                TRANSPORT_INK[t],
              )}
            >
              {transportName(t, linkOfRun(run, t))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {measures.map((measure) => (
          <tr key={measure}>
            <th scope="row" className="text-left font-normal text-ink-3">
              {measure}{' '}
              <span className="unit">{cells.find((one) => one.measure === measure)?.column.unit}</span>
            </th>
            {transports.map((t) => (
              <FigureCell
                key={t}
                run={run}
                transport={t}
                column={cells.find((one) => one.measure === measure && one.transport === t)?.column}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
