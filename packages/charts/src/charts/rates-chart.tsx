import type { ReactNode } from 'react';
import { axisTicks } from '../data/chart-rows.js';
import type { Domain } from '../data/scales.js';
import { timeTicks } from '../data/ticks.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { Plot, type Margin, type PlotRow } from '../plot/plot.js';
import { fromZero } from './goodput-chart.js';

/** A line of steps: each value holds until the next one. */
export interface RateLine {
  /** Column of its values in the rows. */
  key: string;
  line: string;
  dash: string | undefined;
}

interface RatesChartProps {
  label: string;
  /** Titles of the axes. */
  time: string;
  unit: string;
  lines: readonly RateLine[];
  rows: readonly PlotRow[];
  domain: Domain;
  /** The largest value. */
  top: number;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

/** Rates per stretch of time, from zero. */
export function RatesChart({ label, time, unit, lines, rows, domain, top, ...size }: RatesChartProps) {
  const ticks = axisTicks([top], 3);
  return (
    <Plot label={label} {...size} x={{ domain, scale: 'linear' }} y={fromZero(ticks)} rows={rows}>
      <XAxis ticks={timeTicks(domain)} title={time} />
      <YAxis ticks={ticks} title={unit} />
      {lines.map(({ key, line, dash }) => (
        <ValueLine key={key} of={key} color={line} dash={dash} type="stepAfter" width={1.5} />
      ))}
    </Plot>
  );
}
