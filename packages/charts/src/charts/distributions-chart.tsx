import { MARKED, type PercentileMark } from '../data/latency-marks.js';
import { axisTicks, type ChartRow } from '../data/chart-rows.js';
import { percentOf, type Binned, type Percentiles } from '../data/latency-view.js';
import { logTicks } from '../data/ticks.js';
import { useMemo, type ReactNode } from 'react';
import { ZIndexLayer } from 'recharts';
import type { LineLook } from '../marks/look.js';
import { PercentileShape } from '../marks/shapes.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Plot, type Margin } from '../plot/plot.js';
import { fromZero } from './goodput-chart.js';
import { axisTime, stepRows } from './latency-chart.js';

/** The latencies of a run among several. */
export type OverlaidLatency = Percentiles & LineLook & { key: string };

/** Share of each bin, or of all bins up to it. */
export type DistributionKind = 'histogram' | 'cumulative';

interface DistributionsChartProps {
  label: string;
  view: Binned<OverlaidLatency>;
  kind: DistributionKind;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

/** Distributions over each other on one logarithmic axis, with p50, p99 and p99.9 marked on each. */
export function DistributionsChart({ label, view, kind, ...size }: DistributionsChartProps) {
  const { edges, curves } = view;
  const domain = [edges[0]!, edges.at(-1)!] as const;
  const heights = useMemo(() => curves.map((curve) => percentOf(curve, kind)), [curves, kind]);
  const rows = useMemo(() => {
    const at = (bin: number) =>
      Object.fromEntries(curves.map(({ key }, i) => [key, bin < 0 ? 0 : heights[i]![bin]!]));
    return kind === 'histogram' ? stepRows(edges, at) : edges.map((t, i): ChartRow => ({ ...at(i - 1), t }));
  }, [edges, curves, heights, kind]);
  const histogram = kind === 'histogram';
  const ticks = histogram ? axisTicks(heights.flat(), 4) : [0, 25, 50, 75, 100];
  return (
    <Plot label={label} {...size} x={{ domain, scale: 'log' }} y={fromZero(ticks)} rows={rows}>
      <XAxis ticks={logTicks(domain)} format={axisTime} title="latency, log axis" />
      <YAxis ticks={ticks} title={histogram ? '% of operations' : '% of operations done'} />
      {curves.map(({ key, line, dash }) => (
        <ValueLine
          key={key}
          of={key}
          color={line}
          dash={dash}
          {...(histogram ? { type: 'stepAfter', width: 1.5 } : {})}
        />
      ))}
      {curves.map((curve, i) => (
        <Marks key={curve.key} curve={curve} edges={edges} heights={heights[i]!} kind={kind} />
      ))}
    </Plot>
  );
}

const SHARES: Readonly<Record<PercentileMark['which'], number>> = { p50: 50, p99: 99, p999: 99.9 };

interface MarksProps {
  curve: OverlaidLatency;
  edges: readonly number[];
  heights: readonly number[];
  kind: DistributionKind;
}

function Marks({ curve, edges, heights, kind }: MarksProps) {
  const { x, y } = usePlot();
  return (
    <ZIndexLayer zIndex={LAYERS.marks}>
      {MARKED.map((which) => {
        const ns = curve[which];
        if (ns === null) return null;
        const bin = edges.findIndex((edge, i) => i + 1 < edges.length && ns < edges[i + 1]!);
        const height = kind === 'cumulative' ? SHARES[which] : (heights[bin] ?? 0);
        return <PercentileShape key={which} which={which} x={x(ns)} y={y(height)} fill={curve.line} />;
      })}
    </ZIndexLayer>
  );
}
