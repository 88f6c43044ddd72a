'use client';
import { cpuPerGBTotal } from '@verbslab/protocol';
import { COST_KEYS } from '@verbslab/charts/data';
import type { ReactNode } from 'react';
import type { RunView } from '../connection/run-view';
import { useTopics } from '../connection/use-session';
import { figures, type TransportFigures } from '../model/figures';
import type { Topic } from '../model/run-model';
import { COST_COLOR } from '../parts/charts/colors';
import { Swatch } from '../parts/charts/swatch';
import { useTransportLook } from '../parts/charts/transport-names';
import { usePointed } from '../parts/paths/pointed';
import { cn } from '../ui/cn';
import { Median } from './median';
import { PartialFigures } from './partial-figures';

const TOPICS: readonly Topic[] = ['record', 'series', 'histogram'];

/** Largest of the known values, and not 0. */
const largest = (values: readonly (number | null | undefined)[]): number =>
  Math.max(...values.map((value) => value ?? 0)) || 1;

const percent = (part: number): string => `${Math.min(1, part) * 100}%`;

/**
 * Goodput and CPU time of each transport as bars from zero: the median is the end of a bar, each round a dot. Null for a
 * run that measures no transport.
 */
export function TransportBars({ view }: { view: RunView }) {
  useTopics(view, TOPICS, 'chart');
  const list = figures(view.model);
  if (list.length === 0) return null;
  const fastest = largest(list.flatMap((f) => [f.goodputGbps, f.spread?.goodputGbps.max]));
  const totals = list.map(({ cpu }) => (cpu ? cpuPerGBTotal(cpu) : null));
  const dearest = largest([...totals, ...list.map((f) => f.spread?.cpuSecondsPerGB?.max)]);
  return (
    <div className="space-y-4">
      <Bars title="Goodput" unit="Gb/s" list={list} shows="goodput" value={(f) => f.goodputGbps}>
        {(f, color) => (
          <>
            <div
              className="h-4 border-r-2 opacity-40"
              style={{
                width: percent((f.goodputGbps ?? 0) / fastest),
                background: color,
                borderColor: color,
              }}
            />
            {f.each.map((round, i) => (
              <span
                key={i}
                className="absolute top-1 size-2 -translate-x-1/2 rounded-full border border-page"
                style={{ left: percent(round.goodputGbps / fastest), background: color }}
              />
            ))}
          </>
        )}
      </Bars>
      {totals.some((total) => total !== null) ? (
        <div>
          <Bars
            title="CPU time, both ends"
            unit="s/GB"
            list={list}
            shows="cpu-sum"
            value={(f) => f.cpu && cpuPerGBTotal(f.cpu)}
          >
            {({ cpu }) => (
              <div className="flex h-4 gap-px">
                {COST_KEYS.map((part) => (
                  <span
                    key={part}
                    style={{
                      width: percent((cpu?.[part] ?? 0) / dearest),
                      background: COST_COLOR[part].fill,
                    }}
                  />
                ))}
              </div>
            )}
          </Bars>
          <p className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-3">
            {COST_KEYS.filter((part) => list.some(({ cpu }) => cpu?.[part])).map((part) => (
              <Swatch key={part} fill={COST_COLOR[part].fill}>
                {COST_COLOR[part].name}
              </Swatch>
            ))}
          </p>
        </div>
      ) : null}
      <PartialFigures list={list} run={view.model.record} />
    </div>
  );
}

/** A bar for each transport, with its name and value. Pointing at it lights its path in the picture. */
function Bars(props: {
  title: string;
  unit: string;
  list: readonly TransportFigures[];
  /** Name by which the audit knows the value. */
  shows: 'goodput' | 'cpu-sum';
  value: (f: TransportFigures) => number | null | undefined;
  children: (f: TransportFigures, color: string) => ReactNode;
}) {
  const { title, unit, list, shows, value, children } = props;
  const lookOf = useTransportLook();
  const pointed = usePointed((s) => s.transport);
  const point = usePointed((s) => s.point);
  const among = list.some(({ transport }) => transport === pointed);
  const ofSpread = shows === 'goodput' ? 'goodputGbps' : 'cpuSecondsPerGB';
  return (
    <table className="w-full" aria-label={title}>
      <caption className="mb-1 text-left text-13 font-semibold">
        {title} <span className="unit text-12 font-normal">{unit}</span>
      </caption>
      <tbody>
        {list.map((f) => {
          const { name, line, ink } = lookOf(f.transport);
          return (
            <tr
              key={f.transport}
              data-transport={f.transport}
              onPointerEnter={() => point(f.transport)}
              onPointerLeave={() => point(null)}
            >
              <th
                scope="row"
                className="w-24 pr-2 text-left text-13 font-semibold whitespace-nowrap"
                style={{ color: ink }}
              >
                {name}
              </th>
              <td className="py-1" aria-hidden>
                <div
                  className={cn('relative', among && f.transport !== pointed && 'opacity-40')}
                  data-bar={f.transport}
                >
                  {children(f, line)}
                </div>
              </td>
              <td className="num w-24 pl-2 text-right text-13" data-shows={shows}>
                <Median shows={shows} value={value(f)} figures={f} spread={f.spread?.[ofSpread]} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
