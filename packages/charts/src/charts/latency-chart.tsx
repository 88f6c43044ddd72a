import { formatTime } from '@verbslab/labs';
import { PERCENTILE_NAME } from '@verbslab/protocol';
import { useMemo } from 'react';
import { Area, ReferenceLine, ZIndexLayer } from 'recharts';
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

/** The outline of a histogram: a step per bin, down to zero at both ends. */
function stepRows(edges: readonly number[], share: readonly number[]): ChartRow[] {
  const [first, last] = [edges[0]!, edges[share.length]!];
  const heights = share.map((one) => one * 100);
  return [
    { t: first, share: 0 },
    ...heights.map((height, i): ChartRow => ({ t: edges[i]!, share: height })),
    { t: last, share: heights.at(-1)! },
    { t: last, share: 0 },
  ];
}

interface LatencyChartProps {
  label: string;
  edges: readonly number[];
  curve: LatencyCurve;
  look: LineLook;
  /** Ticks of the y axis: the heights of all histograms are compared. */
  ticks: readonly number[];
  title: string;
  width: number;
  height: number;
  margin: Margin;
}

/** The latencies of one transport as a histogram on a logarithmic axis, p50, p99 and p99.9 marked. */
export function LatencyChart({ label, edges, curve, look, ticks, title, ...size }: LatencyChartProps) {
  const domain = [edges[0]!, edges.at(-1)!] as const;
  const rows = useMemo(() => stepRows(edges, curve.share), [edges, curve]);
  return (
    <Plot label={label} {...size} x={{ domain, scale: 'log' }} y={fromZero(ticks)} rows={rows}>
      <XAxis
        ticks={logTicks(domain)}
        format={(ns) => formatTime(Number(ns.toPrecision(3)))}
        title="latency, log axis"
      />
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
        <Percentile key={mark.which} {...mark} color={look.line} row={i} />
      ))}
    </Plot>
  );
}

/** Between the names of marks that stand close together, one below the other. */
const NAME_HEIGHT = 14;
/** Room that a name needs to the right of its line. */
const NAME_WIDTH = 48;

function Percentile({ which, ns, dash, color, row }: PercentileMark & { color: string; row: number }) {
  const { x, area } = usePlot();
  if (ns === null) return null;
  const fits = x(ns) + NAME_WIDTH < area.x + area.width;
  return (
    <>
      <ReferenceLine
        x={ns}
        stroke={color}
        strokeWidth={1.5}
        {...(dash === '' ? {} : { strokeDasharray: dash })}
        data-percentile={which}
      />
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
    </>
  );
}
