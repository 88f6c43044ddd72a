'use client';
import { cpuPerGBTotal, isFinal } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { count, sig3 } from '../format/number';
import { Term } from '../ui/term';
import { cn } from '../ui/cn';
import { TRANSPORT_INK } from '../runs/columns';
import { coverage, TRANSPORT_NAME } from '../runs/figures';
import { PercentileFigure } from '../runs/percentile';
import { FiguresList } from './figures-list';
import { Median } from './median';
import { figures, type TransportFigures } from './model/figures';
import { RunProvider } from './run-provider';
import type { Topic } from './model/run-model';
import { useTopics } from './use-session';

const TOPICS: readonly Topic[] = ['record', 'series', 'histogram'];
const PERCENTILES = ['p50', 'p99', 'p999'] as const;

const th = 'h-7 px-2 text-right font-normal whitespace-nowrap first:pl-0 first:text-left last:pr-0';
const td = 'num h-8 px-2 text-right first:pl-0 last:pr-0';

/** How many transports a run will measure, as far as its parameters tell. */
function expectedRows(parameters: Readonly<Record<string, unknown>>): number {
  return parameters.transport === 'rdma' || parameters.transport === 'tcp' ? 1 : 2;
}

function cells(f: TransportFigures, outside: boolean): [shows: string, value: number | null | undefined][] {
  return [
    ['messages', f.messagesPerSecond === null ? null : f.messagesPerSecond / 1000],
    ['cpu-app', f.cpu?.app],
    ['cpu-nic', f.cpu?.nic],
    ['cpu-kernel', f.cpu?.kernel],
    ...(outside ? [['cpu-outside', f.cpu?.outside] satisfies [string, unknown]] : []),
  ];
}

/** The figures of the run, transports one below the other. */
export function FiguresTable({ view }: { view: RunView }) {
  useTopics(view, TOPICS);
  const { record } = view.model;
  const list = figures(view.model);
  const outside = list.some((f) => f.cpu?.outside !== undefined);
  const columns = outside ? 13 : 12;
  // A row is kept free for a transport that has not begun, so that nothing below moves when it does.
  const missing = isFinal(record.state)
    ? 0
    : Math.max(0, expectedRows(record.parameters) - Math.max(1, list.length));
  return (
    <section aria-label="Figures" className="mb-5">
      {list.length === 0 ? null : (
        <div className="lg:hidden">
          <span className="mb-1 flex gap-2">
            <RunProvider view={view} />
          </span>
          <FiguresList list={list} outside={outside} />
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
            <col span={2} className="w-28" />
            <col span={columns - 3} />
          </colgroup>
          <thead className="text-12 text-ink-3">
            <tr>
              <td colSpan={3}>
                <span className="flex gap-2">
                  <RunProvider view={view} />
                </span>
              </td>
              <th scope="colgroup" colSpan={columns - 8} className="border-b px-2 font-normal">
                CPU, both ends <span className="unit">s/GB</span>
              </th>
              <th scope="colgroup" colSpan={5} className="border-b px-2 font-normal">
                Latency <span className="unit">µs</span>
              </th>
            </tr>
            <tr className="border-b">
              <th scope="col" className={th}>
                <span className="sr-only">Transport</span>
              </th>
              <th scope="col" className={th}>
                <Term id="goodput" /> <span className="unit">Gb/s</span>
              </th>
              <th scope="col" className={th}>
                Messages <span className="unit">k/s</span>
              </th>
              <th scope="col" className={th}>
                Application
              </th>
              <th scope="col" className={th}>
                <Term id="nicWork" />
              </th>
              <th scope="col" className={th}>
                Kernel
              </th>
              {outside ? (
                <th scope="col" className={th}>
                  <Term id="kernelOutside" />
                </th>
              ) : null}
              <th scope="col" className={th}>
                Sum
              </th>
              <th scope="col" className={th}>
                <Term id="samples" />
              </th>
              <th scope="col" className={th}>
                p50
              </th>
              <th scope="col" className={th}>
                p99
              </th>
              <th scope="col" className={th}>
                <Term id="p999" />
              </th>
              <th scope="col" className={th}>
                max
              </th>
            </tr>
          </thead>
          <tbody className="divide-y border-b">
            {list.length === 0 ? (
              <tr>
                <td className="h-8 text-ink-3" colSpan={columns}>
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
                    {TRANSPORT_NAME[f.transport]}
                    {f.settled ? null : <span className="font-normal text-ink-3"> so far</span>}
                  </th>
                  <td className={td} data-shows="goodput">
                    <Median
                      shows="goodput"
                      value={f.goodputGbps}
                      figures={f}
                      spread={f.spread?.goodputGbps}
                    />
                  </td>
                  {cells(f, outside).map(([shows, value]) => (
                    <td key={shows} className={td} data-shows={shows}>
                      {sig3(value)}
                    </td>
                  ))}
                  <td className={td} data-shows="cpu-sum">
                    <Median
                      shows="cpu-sum"
                      value={f.cpu && cpuPerGBTotal(f.cpu)}
                      figures={f}
                      spread={f.spread?.cpuSecondsPerGB}
                    />
                  </td>
                  <td className={td} data-shows="samples">
                    {count(f.latency?.n)}
                  </td>
                  {PERCENTILES.map((which) => (
                    <td key={which} className={td} data-shows={which}>
                      <PercentileFigure latency={f.latency} which={which} />
                    </td>
                  ))}
                  <td className={td} data-shows="max">
                    {sig3(f.latency?.max)}
                  </td>
                </tr>
              ))
            )}
            {Array.from({ length: missing }, (_, i) => (
              <tr key={`free-${i}`} aria-hidden>
                <td className="h-8" colSpan={columns} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.some(({ partial, goodputGbps }) => partial && goodputGbps !== null) ? (
        <p className="mt-1 text-12 text-ink-3" data-partial>
          Partial figures: they cover the run {coverage(record)}.
        </p>
      ) : null}
      {Number(record.parameters.repeat) > 1 ? (
        <p className="mt-1 text-12 text-ink-3">
          Medians over the rounds. Small figures: the lowest and the highest round. Latency is over the
          samples of all rounds.
        </p>
      ) : null}
    </section>
  );
}
