'use client';
import type { Link, Transport } from '@verbslab/protocol';
import { TRANSPORT_INK } from '../runs/columns';
import { cn } from '../ui/cn';
import type { FigureColumn } from './figure-columns';
import { LinkPath } from './link-path';
import type { TransportFigures } from './model/figures';
import { SoFar } from './so-far';
import { useTransportName } from './transport-names';

/** The figures one below the other, a column for each transport: for pages too narrow for the table of figures. */
export function FiguresList(props: {
  list: readonly TransportFigures[];
  columns: readonly FigureColumn[];
  /** How many the run has. */
  rounds: number;
  linkOf: (transport: Transport) => Link | undefined;
}) {
  const { list, columns, rounds, linkOf } = props;
  const nameOf = useTransportName();
  return (
    <table className="w-full max-w-[40rem]" aria-label="Figures">
      <thead>
        <tr className="border-b">
          <td />
          {list.map((f) => (
            <th
              key={f.transport}
              scope="col"
              className={cn('h-8 pl-3 text-right font-semibold', TRANSPORT_INK[f.transport])}
            >
              {nameOf(f.transport)}
              <SoFar figures={f} rounds={rounds} />
              <LinkPath transport={f.transport} link={linkOf(f.transport)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-b">
        {columns.map(({ shows, group, name, alone, unit = group?.unit, of }) => (
          <tr key={shows}>
            <th scope="row" className="h-8 text-left text-13 font-normal text-ink-2">
              {group?.prefix}
              {alone ?? name} {unit ? <span className="unit text-ink-3">{unit}</span> : null}
            </th>
            {list.map((f) => (
              <td
                key={f.transport}
                className="num h-8 pl-3 text-right"
                data-shows={shows}
                data-transport={f.transport}
              >
                {of(f)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
