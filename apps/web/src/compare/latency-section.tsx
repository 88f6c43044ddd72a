'use client';
import {
  DistributionsChart,
  PercentileShape,
  type DistributionKind,
  type OverlaidLatency,
} from '@verbslab/charts';
import { NOT_ENOUGH_SAMPLES, PERCENTILE_NAME, samplesNeeded } from '@verbslab/protocol';
import {
  binned,
  type Binned,
  COUNTED,
  latencies,
  MARKED,
  percentileMarks,
  percentOf,
} from '@verbslab/charts/data';
import { useMemo } from 'react';
import type { RunView } from '../connection/run-view';
import { count, sig3, text, time } from '../format/number';
import { Crosshair, type CrosshairRow } from '../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../parts/charts/frame';
import type { Topic } from '../model/run-model';
import { useTopicsOf } from '../connection/use-session';
import { Term } from '../ui/term';
import { ChartBlock, type TableBehind } from './chart-block';
import { Distances } from './distances';
import { colorOfLine, nameOfLine, RUN_DASHES } from './model/lines';
import { latencyPairs } from './model/latency-pairs';
import { RunMark } from './run-mark';
import { shortNames } from './series-section';
import type { RunLine } from './use-compared';
import { LATENCY_CLOCKS } from '../parts/run/transport-figures';

const TOPICS: readonly Topic[] = ['histogram', 'record'];

/** The latencies of all lines on one axis. */
function overlaid(lines: readonly RunLine[]): Binned<OverlaidLatency> {
  const nameOf = shortNames(lines);
  const measured = lines.flatMap((line) => {
    const values = latencies(line.run.view.model).get(line.transport);
    return values ? [[line, values] as const] : [];
  });
  return binned(measured, (line) => ({
    ...{ key: line.key, name: nameOf(line), ...colorOfLine(line) },
    dash: RUN_DASHES[line.run.index],
  }));
}

/** Latency histograms and cumulative distributions of all runs over each other, and how far they are apart. */
export function LatencySection(props: {
  lines: readonly RunLine[];
  views: readonly RunView[];
  base: string;
}) {
  const { lines, views, base } = props;
  useTopicsOf(views, TOPICS, 'chart');
  const version = views.map(({ model }) => model.version.histogram).join(' ');
  // Histograms are added to in place: their versions say whether they are others.
  const view = useMemo(() => {
    void version;
    return overlaid(lines);
  }, [lines, version]);
  const pairs = useMemo(() => {
    void version;
    return latencyPairs(lines, base);
  }, [lines, base, version]);
  if (view.curves.length === 0)
    return (
      <p className="text-ink-2">
        None of these runs recorded the latency of each operation. Percentiles that a lab computes itself are
        among its figures and curves.
      </p>
    );
  const table = tableOf(lines, view);
  const clocks = new Set(
    view.curves.map(({ key }) => (key.endsWith('tcp') || key.endsWith('udp') ? key.slice(2) : 'rdma')),
  );
  return (
    <div className="space-y-4">
      <Key lines={lines} view={view} />
      {clocks.size > 1 ? <p className="text-12 text-ink-3">{LATENCY_CLOCKS}</p> : null}
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        <ChartBlock title="Latency histograms" table={table}>
          <Distributions view={view} kind="histogram" label="Latency histograms of the runs" />
        </ChartBlock>
        <ChartBlock title="Cumulative latency" table={{ ...table, shows: 'compare-latency-table' }}>
          <Distributions view={view} kind="cumulative" label="Cumulative latency of the runs" />
        </ChartBlock>
      </div>
      <p className="text-12 text-ink-3" data-words>
        Bins are 6 % wide. The <Term id="ecdf" /> counts all operations up to each latency.
      </p>
      <Distances pairs={pairs} base={base} />
    </div>
  );
}

const PLACE = { ...MARGIN, right: 28 };

interface DistributionsProps {
  view: Binned<OverlaidLatency>;
  kind: DistributionKind;
  label: string;
}

function Distributions({ view, kind, label }: DistributionsProps) {
  const { edges, curves } = view;
  const histogram = kind === 'histogram';
  const rows = useMemo(() => {
    const heights = curves.map((curve) => percentOf(curve, kind));
    return edges.slice(0, -1).map((from, i): CrosshairRow => {
      const to = edges[i + 1]!;
      return {
        ...{ at: histogram ? Math.sqrt(from * to) : to, from, to },
        ...Object.fromEntries(curves.map(({ key }, which) => [key, heights[which]![i]!])),
      };
    });
  }, [edges, curves, kind, histogram]);
  const title = ({ from, to }: CrosshairRow): string =>
    histogram ? `${text(time(from))} to ${text(time(to))}` : `up to ${text(time(to))}`;
  const lines = curves.map(({ key, name, line: color }) => ({ key, name, color, dot: !histogram }));
  return (
    <ChartFrame>
      {(size) => (
        <DistributionsChart
          {...{ view, kind, label, ...size }}
          margin={PLACE}
          over={<Crosshair group="compare latency" by="at" {...{ rows, lines, title }} unit="%" />}
        />
      )}
    </ChartFrame>
  );
}

/** Each line with its samples and percentiles. In the plot the words would lie on the curves. */
function Key({ lines, view }: { lines: readonly RunLine[]; view: Binned<OverlaidLatency> }) {
  return (
    <ul className="space-y-0.5 text-13">
      {view.curves.map((curve) => {
        const line = lines.find(({ key }) => key === curve.key)!;
        return (
          <li
            key={curve.key}
            className="flex flex-wrap items-center gap-x-4 gap-y-0.5"
            data-run={line.run.id}
            data-transport={line.transport}
          >
            <RunMark letter={line.run.letter} index={line.run.index} line />
            <span className="min-w-24 font-semibold" style={{ color: colorOfLine(line).ink }} data-words>
              {nameOfLine(line)}
            </span>
            <span className="num text-ink-2" data-shows="compare-samples">
              n = {count(curve.total)}
            </span>
            {percentileMarks(curve).map(({ which, ns }) => (
              <span key={which} className="num inline-flex items-center gap-1">
                {ns === null ? null : (
                  <svg width="12" height="12" aria-hidden>
                    <PercentileShape which={which} x={6} y={6} fill={curve.line} />
                  </svg>
                )}
                <span data-shows={`chart-${which}`}>
                  {ns === null
                    ? `${PERCENTILE_NAME[which]} needs n ≥ ${count(samplesNeeded(which))}`
                    : `${PERCENTILE_NAME[which]} ${text(time(ns))}`}
                </span>
              </span>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

function tableOf(lines: readonly RunLine[], view: Binned<OverlaidLatency>): TableBehind {
  const us = (ns: number | null): string => (ns === null ? NOT_ENOUGH_SAMPLES : sig3(ns / 1000));
  return {
    shows: 'compare-latency-table',
    head: [
      'Run',
      'Transport',
      'Counted',
      'n',
      'min, µs',
      ...MARKED.map((which) => `${PERCENTILE_NAME[which]}, µs`),
      'max, µs',
    ],
    rows: view.curves.map((curve) => {
      const line = lines.find(({ key }) => key === curve.key)!;
      return [
        line.run.letter,
        nameOfLine(line),
        COUNTED[line.transport],
        curve.total,
        us(curve.min),
        ...MARKED.map((which) => us(curve[which])),
        us(curve.max),
      ];
    }),
  };
}
