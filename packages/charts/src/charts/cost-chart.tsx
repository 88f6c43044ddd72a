import { cpuPerGBTotal, type CpuPerGB } from '@verbslab/protocol';
import { Bar, BarChart, CartesianGrid, XAxis, YAxis, type BarShapeProps } from 'recharts';
import { axisTicks, COST_KEYS } from '../data/chart-rows.js';
import { tickText } from '../data/ticks.js';

/** Pixels below the bars for the figures of the axis. */
export const COST_AXIS_HEIGHT = 22;
/** Pixels from the upper to the lower edge of a bar. */
const BAR_HEIGHT = 16;
const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

export interface CostRow {
  key: string;
  /** Text left of the bar, if `left` gives it room. */
  name?: string;
  cost: CpuPerGB;
}

interface CostChartProps {
  /** Description for people who do not see the chart; none if words around it say the same. */
  label?: string;
  rows: readonly CostRow[];
  /** The whole width, and the height of a row; a bar lies in the middle of its row. Pixels. */
  width: number;
  rowHeight: number;
  /** Pixels left of the bars for their names; none by default. */
  left?: number;
}

/** CPU seconds per GB: a stacked bar per row, all on one scale from zero. */
export function CostChart({ label, rows, width, rowHeight, left = 0 }: CostChartProps) {
  const ticks = axisTicks(rows.map(({ cost }) => cpuPerGBTotal(cost)));
  const data = rows.map(({ key, cost }) => ({ key, ...cost }));
  return (
    <BarChart
      layout="vertical"
      width={width}
      height={rows.length * rowHeight + COST_AXIS_HEIGHT}
      data={data}
      margin={NO_MARGIN}
      accessibilityLayer={false}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <CartesianGrid horizontal={false} syncWithTicks stroke="var(--grid)" />
      <XAxis
        type="number"
        domain={[0, ticks.at(-1)!]}
        ticks={ticks}
        interval={0}
        height={COST_AXIS_HEIGHT}
        axisLine={{ stroke: 'var(--line-strong)' }}
        tickLine={false}
        tick={({ x, y, index, payload }) => (
          // The first and the last figure stay within the chart.
          <text
            x={x}
            y={Number(y) + 8}
            textAnchor={index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle'}
          >
            {tickText(Number(payload.value))}
          </text>
        )}
      />
      <YAxis
        type="category"
        dataKey="key"
        width={left}
        interval={0}
        hide={left === 0}
        axisLine={false}
        tickLine={false}
        tick={({ y, index }) => (
          <text x={left - 8} y={Number(y) + 4} textAnchor="end">
            {rows[index]?.name}
          </text>
        )}
      />
      {COST_KEYS.map((part) => (
        <Bar
          key={part}
          dataKey={part}
          stackId="cost"
          barSize={BAR_HEIGHT}
          isAnimationActive={false}
          shape={({ x, y, width: length, height }: BarShapeProps) =>
            // A pixel stays free between two parts.
            length > 0 ? (
              <rect
                data-part={part}
                x={x}
                y={y}
                width={Math.max(0, length - 1)}
                height={height}
                fill={`var(--cpu-${part})`}
              />
            ) : null
          }
        />
      ))}
    </BarChart>
  );
}
