'use client';
import type { Link, Transport } from '@verbslab/protocol';
import { Fragment } from 'react';
import { TRANSPORT_INK } from '../parts/run/transport-figures';
import { cn } from '../ui/cn';
import type { FigureColumn } from './figure-columns';
import { LinkPath } from './link-path';
import type { TransportFigures } from '../model/figures';
import { SoFar } from './so-far';
import { useTransportName } from '../parts/charts/transport-names';

/** Figures below each other, with a column per transport: for pages too narrow for the table of figures. */
export function FiguresList(props: {
  list: readonly TransportFigures[];
  columns: readonly FigureColumn[];
  /** Number of rounds of the run. */
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
              className={cn('h-8 pl-2 text-right font-semibold', TRANSPORT_INK[f.transport])}
            >
              {nameOf(f.transport)}
              <SoFar figures={f} rounds={rounds} />
              <LinkPath transport={f.transport} link={linkOf(f.transport)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-b">
        {columns.map(({ shows, group, name, unit, of }, i) => (
          <Fragment key={shows}>
            {group && group !== columns[i - 1]?.group ? (
              <tr>
                <th
                  scope="colgroup"
                  colSpan={1 + list.length}
                  className="h-8 pt-1 text-left align-bottom text-12 font-normal text-ink-3"
                >
                  {group.heading} <span className="unit">{group.unit}</span>
                </th>
              </tr>
            ) : null}
            <tr>
              <th scope="row" className="h-8 text-left text-13 font-normal whitespace-nowrap text-ink-2">
                {name} {unit ? <span className="unit text-ink-3">{unit}</span> : null}
              </th>
              {list.map((f) => (
                <td
                  key={f.transport}
                  className="num h-8 pl-2 text-right"
                  data-shows={shows}
                  data-transport={f.transport}
                >
                  {of(f)}
                </td>
              ))}
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
