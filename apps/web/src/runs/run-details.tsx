'use client';
import { linkOfRun, transportName, type RunRow, type Transport } from '@verbslab/protocol';
import { cn } from '../ui/cn';
import { hasCell, mixesClocks, type RunColumn } from './columns';
import { LATENCY_CLOCKS, TRANSPORT_INK } from '../parts/run/transport-figures';

/** Details of a run that its line does not show. */
export function RunDetails(props: { run: RunRow; columns: readonly RunColumn[]; id: string }) {
  const { run, columns, id } = props;
  const details = columns.filter((one) => one.detail && hasCell(one, run));
  const answer = run.result?.answer;
  return (
    <div id={id} className="min-w-0 pt-2 pb-3 whitespace-normal" data-details={run.number}>
      {answer === undefined ? null : (
        <p className="mb-2 max-w-[72ch]" data-words>
          {answer}
        </p>
      )}
      <div className="flex flex-wrap items-start gap-x-12 gap-y-2">
        <dl className="grid max-w-[40rem] min-w-0 grid-cols-[6rem_minmax(0,1fr)] gap-x-3 text-13">
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
      {mixesClocks(columns, [run]) ? (
        <p className="mt-2 text-12 text-ink-3" data-own-clocks>
          {LATENCY_CLOCKS}
        </p>
      ) : null}
    </div>
  );
}

function FigureCell(props: { run: RunRow; transport: Transport; column: RunColumn | undefined }) {
  const { run, transport, column } = props;
  return (
    <td className="num pl-2 text-right" data-shows={column?.shows} data-transport={transport}>
      {column?.cell(run)}
    </td>
  );
}

/** Table of figures, with a line for each figure and a column for each transport. */
function Figures({ run, columns }: { run: RunRow; columns: readonly RunColumn[] }) {
  const cells = columns.flatMap((column) =>
    column.figure && hasCell(column, run) ? [{ column, ...column.figure }] : [],
  );
  if (cells.length === 0) return null;
  const transports = [...new Set<Transport>(cells.map(({ transport }) => transport))];
  const measures = [...new Set(cells.map(({ measure }) => measure))];
  return (
    <table className="w-full max-w-[30rem] text-13">
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
