/** The charts of a report: those of the page, at fixed sizes and without scripts. */
import {
  CostChart,
  CpuChart,
  cpuCharts,
  cpuTicks,
  CurveChart,
  GoodputChart,
  LatencyChart,
  LatencyTimeChart,
  namedAtEnds,
  type LineLook,
} from '@verbslab/charts';
import {
  axisTicks,
  COST_KEYS,
  COST_NAME,
  countedOf,
  LATENCY_LINES,
  latencyAxes,
  latencyCurve,
  latencyPoints,
  CPU_KEYS,
  percentileMarks,
  seriesLooks,
  TRANSPORT_DASH,
  type LatencyCurve,
  type LatencyView,
  type OpcodeLatencies,
  type SeriesView,
} from '@verbslab/charts/data';
import { staticMarkup } from '@verbslab/charts/static';
import { formatCount, type CurveView } from '@verbslab/labs';
import {
  PERCENTILE_NAME,
  samplesNeeded,
  TRANSPORTS,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';
import { createElement, type ReactElement } from 'react';
import { cpuText } from '../content/chart-tables.js';
import { timeText } from '../content/format.js';
import { colorIn, nameIn } from '../content/names.js';
import { key } from './key.js';
import { el, Markup, type Child } from './markup.js';

const PLACE = { width: 720, height: 260, margin: { top: 26, right: 20, bottom: 40, left: 76 } };
/** Top margin for names of transports between the plot and the title of its axis. */
const OVER_TIME = { ...PLACE, margin: { ...PLACE.margin, top: 40 } };
const HISTOGRAM = { ...PLACE, height: 210 };

/** A chart as markup. `name` is unique in the report: ids begin with it. */
const drawn = (name: string, chart: ReactElement): Markup => new Markup(staticMarkup(chart, `${name}-`));

const colorVar = (color: string): string => `var(--${color})`;

const looksIn =
  (run: RunRecord) =>
  (transport: Transport): LineLook => ({
    name: nameIn(run, transport),
    line: colorVar(colorIn(run, transport)),
    ink: 'var(--ink-2)',
    dash: TRANSPORT_DASH[colorIn(run, transport)],
  });

/** Sentences on the shaded and hatched parts of the charts over time. */
export const overTimeText = (view: SeriesView): string =>
  [
    ...(view.startUps.length > 0 ? ['Shaded: warm-up, which is in no figure.'] : []),
    ...(view.holes.length > 0
      ? ['Hatched: a sample that took much longer than the others. The line is its mean.']
      : []),
  ].join(' ');

/** Goodput of each transport over run time, from zero. */
export const goodputChart = (run: RunRecord, view: SeriesView): Child => [
  key(
    view.transports.map((transport) => ({
      name: nameIn(run, transport),
      color: colorIn(run, transport),
      dash: TRANSPORT_DASH[colorIn(run, transport)],
    })),
  ),
  drawn(
    'goodput',
    createElement(GoodputChart, {
      series: view,
      domain: view.domain,
      lookOf: looksIn(run),
      title: 'Goodput, Gb/s',
      ...OVER_TIME,
    }),
  ),
];

/** CPU of both ends in cores, stacked. Transports that ran at once get a chart each, on one scale. */
export const cpuChart = (run: RunRecord, view: SeriesView): Child => [
  key(CPU_KEYS.map((part) => ({ name: COST_NAME[part], color: `cpu-${part}`, fill: true }))),
  cpuCharts(view).map((transport, i) => {
    const named = transport === null ? '' : `, ${nameIn(run, transport)}`;
    return drawn(
      `cpu-${i}`,
      createElement(CpuChart, {
        series: view,
        domain: view.domain,
        lookOf: looksIn(run),
        transport,
        label: `CPU over run time${named}`,
        title: `${cpuText(run)}${named}`,
        ticks: cpuTicks(view),
        ...OVER_TIME,
      }),
    );
  }),
];

/** CPU seconds per GB, a bar per transport. Null if no bytes were measured. */
export function costChart(run: RunRecord): Child {
  const rows = TRANSPORTS.flatMap((transport) => {
    const cost = run.result?.transports[transport]?.cpuSecondsPerGB;
    return cost ? [{ key: transport, name: nameIn(run, transport), cost }] : [];
  });
  if (rows.length === 0) return null;
  const parts = COST_KEYS.filter((part) => rows.some(({ cost }) => cost[part]));
  return [
    key(parts.map((part) => ({ name: COST_NAME[part], color: `cpu-${part}`, fill: true }))),
    drawn(
      'cost',
      createElement(CostChart, {
        label: 'CPU seconds per GB',
        rows,
        width: PLACE.width,
        rowHeight: 32,
        left: 90,
      }),
    ),
  ];
}

/** `RDMA/UDP requests: n = 1,129, p50 2.47 ms, …`. A withheld percentile says how many samples it needs. */
function headOf(curve: LatencyCurve, name: string): string {
  const percentiles = percentileMarks(curve).map(({ which, ns }) =>
    ns === null
      ? `${PERCENTILE_NAME[which]} needs n ≥ ${formatCount(samplesNeeded(which))}`
      : `${PERCENTILE_NAME[which]} ${timeText(ns)}`,
  );
  const counted = countedOf(curve.transport, name);
  return `${counted}: n = ${formatCount(curve.total)}, ${percentiles.join(', ')}, max ${timeText(curve.max)}`;
}

/** A histogram per transport, all on the same logarithmic axis, with p50, p99 and p99.9 marked. */
export function latencyChart(run: RunRecord, { edges, curves }: LatencyView): Child {
  // Ticks for all histograms, so that their heights can be compared.
  const ticks = axisTicks(
    curves.flatMap(({ share }) => share.map((each) => each * 100)),
    3,
  );
  return curves.map((curve) => {
    const look = looksIn(run)(curve.transport);
    return [
      el('p', { class: 'key' }, headOf(curve, look.name)),
      drawn(
        `latency-${curve.transport}`,
        createElement(LatencyChart, {
          label: `Latency of ${look.name}`,
          title: `% of ${countedOf(curve.transport, look.name)}`,
          edges,
          curve,
          look,
          ticks,
          ...HISTOGRAM,
        }),
      ),
    ];
  });
}

/** Latencies of a program's requests: their distribution, and percentiles over run time. */
export function requestCharts(run: RunRecord, of: OpcodeLatencies): Child {
  const { line, ink } = looksIn(run)('rdma');
  const { stretches } = of;
  return [
    latencyChart(run, latencyCurve(of)),
    drawn(
      'latency-time',
      createElement(LatencyTimeChart, {
        label: 'Percentiles of latency over run time',
        title: 'Latency over run time',
        lines: LATENCY_LINES.map(([key, dash]) => {
          const last = stretches.at(-1)![key];
          return { key, line, ink, dash, last: last === null ? null : last / 1000 };
        }),
        rows: latencyPoints(stretches),
        ...latencyAxes(of),
        ...PLACE,
      }),
    ),
  ];
}

/** A curve of a lab: its series over the same axes, with their spread. Null if it has no point. */
export function curveChart(curve: CurveView, at: number): Child {
  if (curve.series.every(({ points }) => points.length === 0)) return null;
  const looks = seriesLooks(curve.series);
  const named = namedAtEnds(curve);
  return [
    looks.length > 1 && !named
      ? key(curve.series.map(({ label }, i) => ({ name: label, ...looks[i]! })))
      : null,
    drawn(
      `curve-${at}`,
      createElement(CurveChart, {
        curve,
        looks: looks.map(({ color, ...look }, i) => ({
          name: curve.series[i]!.label,
          line: colorVar(color),
          ink: 'var(--ink-2)',
          ...look,
        })),
        named,
        ...PLACE,
      }),
    ),
  ];
}
