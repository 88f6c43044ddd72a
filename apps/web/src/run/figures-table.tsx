'use client';
import { TRANSPORTS_OF } from '@verbslab/labs';
import { isFinal, wideSpreadText } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { sig3 } from '../format/number';
import { cn } from '../ui/cn';
import { TRANSPORT_INK } from '../parts/run/transport-figures';
import { figureColumns } from './figure-columns';
import { FiguresList } from './figures-list';
import { LinkPath } from './link-path';
import { figures, tooEarly } from '../model/figures';
import { RoundsTable } from './rounds-table';
import { PartialFigures } from './partial-figures';
import { SoFar } from './so-far';
import { RunProvider } from '../parts/run/run-provider';
import { useTransportName } from '../parts/charts/transport-names';
import type { Topic } from '../model/run-model';
import { useTopics } from '../connection/use-session';

const TOPICS: readonly Topic[] = ['record', 'series', 'histogram'];

const th = 'h-7 px-2 text-right font-normal whitespace-nowrap first:pl-0 first:text-left last:pr-0';
const td = 'num h-8 px-2 text-right first:pl-0 last:pr-0';

/** Number of transports that a run will measure, according to its parameters. */
function expectedRows(parameters: Readonly<Record<string, unknown>>): number {
  return TRANSPORTS_OF[parameters.transport as keyof typeof TRANSPORTS_OF]?.length ?? 2;
}

/** Figures of the run, with a row per transport. */
export function FiguresTable({ view }: { view: RunView }) {
  useTopics(view, TOPICS);
  const nameOf = useTransportName();
  const { record } = view.model;
  const list = figures(view.model);
  const outside = list.some((f) => f.cpu?.outside !== undefined);
  const columns = figureColumns(outside);
  const groups = [...new Set(columns.flatMap(({ group }) => group ?? []))];
  const ungrouped = columns.filter(({ group }) => !group);
  const width = columns.length + 1;
  const wide = isFinal(record.state)
    ? wideSpreadText(
        list.map(({ transport, spread }) => ({ name: nameOf(transport), goodput: spread?.goodputGbps })),
        sig3,
      )
    : null;
  // An empty row for each transport that has not begun, so that nothing below moves when it does.
  const missing = isFinal(record.state)
    ? 0
    : Math.max(0, expectedRows(record.parameters) - Math.max(1, list.length));
  return (
    <section aria-label="Figures" className="mb-5">
      {list.length === 0 ? null : (
        <div className="lg:hidden">
          <span className="mb-1 flex flex-wrap gap-2">
            <RunProvider view={view} />
          </span>
          <FiguresList
            list={list}
            columns={columns}
            rounds={Number(record.parameters.repeat)}
            linkOf={(transport) => view.model.linkOf(transport)}
          />
        </div>
      )}
      <div
        className={cn('thin-scroll overflow-x-auto', list.length > 0 && 'max-lg:hidden')}
        tabIndex={0}
        role="group"
        aria-label="Table of figures"
      >
        <table className="w-full max-w-[72rem] min-w-[64rem] table-fixed">
          <colgroup>
            <col className="w-40" />
            <col span={ungrouped.length} className="w-28" />
            <col span={columns.length - ungrouped.length} />
          </colgroup>
          <thead className="text-12 text-ink-3">
            <tr>
              <td colSpan={1 + ungrouped.length}>
                <span className="flex gap-2">
                  <RunProvider view={view} />
                </span>
              </td>
              {groups.map((group) => (
                <th
                  key={group.heading}
                  scope="colgroup"
                  colSpan={columns.filter((column) => column.group === group).length}
                  className="border-b px-2 font-normal"
                >
                  {group.heading} <span className="unit">{group.unit}</span>
                </th>
              ))}
            </tr>
            <tr className="border-b">
              <th scope="col" className={th}>
                <span className="sr-only">Transport</span>
              </th>
              {columns.map(({ shows, name, unit }) => (
                <th key={shows} scope="col" className={th}>
                  {name}
                  {unit ? <span className="unit"> {unit}</span> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y border-b">
            {list.length === 0 ? (
              <tr>
                <td className="h-8 text-ink-3" colSpan={width}>
                  {isFinal(record.state)
                    ? 'The run ended before anything was measured.'
                    : 'Waiting for the first sample…'}
                </td>
              </tr>
            ) : (
              list.map((f) => (
                <tr key={f.transport} data-transport={f.transport}>
                  <th
                    scope="row"
                    className={cn(
                      'h-8 pr-2 text-left font-semibold whitespace-nowrap',
                      TRANSPORT_INK[f.transport],
                    )}
                  >
                    {nameOf(f.transport)}
                    <SoFar figures={f} rounds={Number(record.parameters.repeat)} />
                    <LinkPath transport={f.transport} link={view.model.linkOf(f.transport)} />
                  </th>
                  {columns.map(({ shows, of }) => (
                    <td key={shows} className={td} data-shows={shows}>
                      {of(f)}
                    </td>
                  ))}
                </tr>
              ))
            )}
            {Array.from({ length: missing }, (_, i) => (
              <tr key={`free-${i}`} aria-hidden>
                <td className="h-11" colSpan={width} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <PartialFigures list={list} run={record} />
      {tooEarly(list, expectedRows(record.parameters)) && list.length > 0 ? (
        <p className="mt-1 text-13 text-ink-2" data-too-early>
          Too early to compare: each transport needs a finished round first.
        </p>
      ) : null}
      {Number(record.parameters.repeat) > 1 && list.some(({ finished }) => finished > 0) ? (
        <p className="mt-1 text-12 text-ink-3">
          Medians over the rounds. Small figures: the lowest and the highest round. Latency is over the
          samples of all rounds.
        </p>
      ) : null}
      {wide === null ? null : (
        <p
          className="mt-1 max-w-[120ch] border-l-2 border-line-strong pl-2 text-13 text-ink-2"
          data-shows="wide-spread"
        >
          {wide}
        </p>
      )}
      {list.every(({ settled }) => settled) ? <RoundsTable list={list} /> : null}
    </section>
  );
}
