import { formatTime } from '@verbslab/labs';
import { PERCENTILE_NAME } from '@verbslab/protocol';
import { useMemo, type ReactNode } from 'react';
import { Area, ZIndexLayer } from 'recharts';
import type { ChartRow } from '../data/chart-rows.js';
import { percentileMarks, type PercentileMark } from '../data/latency-marks.js';
import type { LatencyCurve } from '../data/latency-view.js';
import { logTicks } from '../data/ticks.js';
import type { LineLook } from '../marks/look.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { columnOf } from '../plot/columns.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Plot, type Margin } from '../plot/plot.js';
import { fromZero } from './goodput-chart.js';

/** The outlines of histograms: a step per bin, down to zero at both ends. `at` returns the values of a bin. */
export function stepRows(edges: readonly number[], at: (bin: number) => Record<string, number>): ChartRow[] {
  const bins = edges.length - 1;
  const [first, last] = [edges[0]!, edges[bins]!];
  const none = Object.fromEntries(Object.keys(at(0)).map((key) => [key, 0]));
  return [
    { ...none, t: first },
    ...edges.slice(0, -1).map((t, bin): ChartRow => ({ ...at(bin), t })),
    { ...at(bins - 1), t: last },
    { ...none, t: last },
  ];
}

export const axisTime = (ns: number): string => formatTime(Number(ns.toPrecision(3)));

interface LatencyChartProps {
  label: string;
  edges: readonly number[];
  curve: LatencyCurve;
  look: LineLook;
  /** Ticks of the y axis, shared by all histograms so that their heights can be compared. */
  ticks: readonly number[];
  /** Title above the plot. Without it, percentiles have no names in the plot either: both stand outside. */
  title?: string;
  /** True if another plot with the same x axis stands below. The title is there. */
  continued?: boolean;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

/** The latencies of one transport as a histogram on a logarithmic axis, p50, p99 and p99.9 marked. */
export function LatencyChart(props: LatencyChartProps) {
  const { label, edges, curve, look, ticks, title, continued = false, ...size } = props;
  const domain = [edges[0]!, edges.at(-1)!] as const;
  const rows = useMemo(() => stepRows(edges, (bin) => ({ share: curve.share[bin]! * 100 })), [edges, curve]);
  return (
    <Plot label={label} {...size} x={{ domain, scale: 'log' }} y={fromZero(ticks)} rows={rows}>
      <XAxis ticks={logTicks(domain)} format={axisTime} title={continued ? undefined : 'latency, log axis'} />
      <YAxis ticks={ticks} title={title} />
      <Area
        dataKey={columnOf('share')}
        type="stepAfter"
        stroke={look.line}
        strokeWidth={1.5}
        fill={look.line}
        fillOpacity={0.18}
        zIndex={LAYERS.areas}
        activeDot={false}
        isAnimationActive={false}
        data-histogram={curve.transport}
      />
      {percentileMarks(curve).map((mark, i) => (
        <Percentile key={mark.which} {...mark} color={look.line} row={i} named={title !== undefined} />
      ))}
    </Plot>
  );
}

/** Pixels between the names of marks that stand close together, one below the other. */
const NAME_HEIGHT = 14;
/** Pixels that a name needs to the right of its line. */
const NAME_WIDTH = 48;

function Percentile({
  which,
  ns,
  dash,
  color,
  row,
  named,
}: PercentileMark & { color: string; row: number; named: boolean }) {
  const { x, area } = usePlot();
  if (ns === null) return null;
  const fits = x(ns) + NAME_WIDTH < area.x + area.width;
  return (
    <>
      <ZIndexLayer zIndex={LAYERS.lines}>
        <line
          {...{ x1: x(ns), y1: area.y, x2: x(ns), y2: area.y + area.height }}
          stroke={color}
          strokeWidth={1.5}
          strokeDasharray={dash}
          data-percentile={which}
        />
      </ZIndexLayer>
      {named ? (
        <ZIndexLayer zIndex={LAYERS.names}>
          <text
            x={fits ? x(ns) + 4 : x(ns) - 4}
            y={area.y + 12 + row * NAME_HEIGHT}
            textAnchor={fits ? 'start' : 'end'}
            style={{ fill: 'var(--ink-2)' }}
          >
            {PERCENTILE_NAME[which]}
          </text>
        </ZIndexLayer>
      ) : null}
    </>
  );
}
