import { useMemo, type ReactNode } from 'react';
import type { Domain } from '../data/scales.js';
import { logTicks } from '../data/ticks.js';
import { EndNames } from '../marks/names.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { Plot, type Margin, type PlotRow } from '../plot/plot.js';
import { axisTime } from './latency-chart.js';
import { TimeAxis } from './goodput-chart.js';

/** A line of latencies over time, named at its end. */
export interface LatencyLine {
  /** Column of its values in the rows, and its name. */
  key: string;
  line: string;
  ink: string;
  dash: string | undefined;
  /** Value at its end. Null if it has none. */
  last: number | null;
}

interface LatencyTimeChartProps {
  label: string;
  /** Latencies at the beginning and the end of each stretch, µs. */
  rows: readonly PlotRow[];
  lines: readonly LatencyLine[];
  /** The whole x axis, seconds, and y axis, µs. */
  domain: Domain;
  range: Domain;
  title: string;
  /** True if another chart with the same x axis stands below. */
  continued?: boolean;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

const microseconds = (us: number): string => axisTime(us * 1000);

/** Latencies over run time on a logarithmic axis: lines, or what stands over the axes. */
export function LatencyTimeChart(props: LatencyTimeChartProps) {
  const { label, rows, lines, domain, range, title, continued = false, ...size } = props;
  const ends = useMemo(
    () =>
      lines.flatMap(({ key, ink, last }) => (last === null ? [] : [{ key, label: key, ink, value: last }])),
    [lines],
  );
  return (
    <Plot
      label={label}
      {...size}
      x={{ domain, scale: 'linear' }}
      y={{ domain: range, scale: 'log' }}
      rows={rows}
    >
      {continued ? <XAxis ticks={[]} /> : <TimeAxis domain={domain} />}
      <YAxis ticks={logTicks(range)} format={microseconds} title={title} />
      {lines.map(({ key, line, dash }) => (
        <ValueLine key={key} of={key} color={line} dash={dash} width={1.5} />
      ))}
      <EndNames ends={ends} />
    </Plot>
  );
}
