import type { ProviderClass } from '@verbslab/protocol';
import { useMemo, type ReactNode } from 'react';
import { Scatter, ZIndexLayer, type ScatterShapeProps } from 'recharts';
import { axisTicks } from '../data/chart-rows.js';
import type { LineLook } from '../marks/look.js';
import { ProviderShape } from '../marks/shapes.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Plot, type Margin, type PlotRow } from '../plot/plot.js';
import { fromZero } from './goodput-chart.js';

export interface Dot {
  id: string;
  /** Text beside the mark; empty where there are too many dots. */
  label: string;
  look: Pick<LineLook, 'line' | 'ink'>;
  provider: ProviderClass;
  x: number;
  y: number;
  onFront: boolean;
}

interface ScatterChartProps {
  label: string;
  dots: readonly Dot[];
  /** Dots that no other dot beats, by x. */
  front: readonly Dot[];
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

/** Goodput on the x axis and CPU time on the y axis, both from zero. The front is a line of steps. */
export function ScatterChart({ label, dots, front, ...size }: ScatterChartProps) {
  const [xTicks, yTicks] = [axisTicks(dots.map(({ x }) => x)), axisTicks(dots.map(({ y }) => y))];
  const points = useMemo(() => dots.map((dot) => ({ t: dot.x, y: dot.y, dot })), [dots]);
  const top = yTicks.at(-1)!;
  // The front is a step between two of its points: no measurement lies below it.
  const rows = useMemo(
    (): PlotRow[] => [
      { t: 0, front: front[0]?.y },
      ...front.map(({ x, y }) => ({ t: x, front: y })),
      { t: front.at(-1)?.x ?? 0, front: front.length > 0 ? top : undefined },
    ],
    [front, top],
  );
  return (
    <Plot label={label} {...size} x={fromZero(xTicks)} y={fromZero(yTicks)} rows={rows}>
      <XAxis ticks={xTicks} title="goodput, Gb/s" />
      <YAxis ticks={yTicks} title="CPU, s/GB" />
      <ValueLine of="front" color="var(--ink-2)" dash="3 3" type="stepBefore" width={1} />
      <FrontName front={front} />
      <Scatter
        data={points}
        dataKey="y"
        isAnimationActive={false}
        shape={({ cx, cy, payload }: ScatterShapeProps) => (
          <Mark dot={(payload as (typeof points)[number]).dot} at={cx!} height={cy!} />
        )}
      />
    </Plot>
  );
}

function FrontName({ front }: { front: readonly Dot[] }) {
  const { x, area } = usePlot();
  const last = front.at(-1);
  if (!last) return null;
  const right = x(last.x) > area.x + 110;
  return (
    <ZIndexLayer zIndex={LAYERS.names}>
      <text
        data-front
        x={x(last.x) + (right ? -8 : 8)}
        y={area.y + 12}
        textAnchor={right ? 'end' : 'start'}
        style={{ fill: 'var(--ink-2)' }}
      >
        Pareto front
      </text>
    </ZIndexLayer>
  );
}

function Mark({ dot, at, height }: { dot: Dot; at: number; height: number }) {
  const { area } = usePlot();
  const { line, ink } = dot.look;
  const beyond = at + 40 > area.x + area.width;
  return (
    <g data-dot={dot.id} data-front-dot={dot.onFront ? '' : undefined}>
      <ProviderShape provider={dot.provider} x={at} y={height} fill={line} hollow={!dot.onFront} />
      {dot.label === '' ? null : (
        <text
          x={beyond ? at - 9 : at + 9}
          y={height - 6}
          textAnchor={beyond ? 'end' : 'start'}
          style={{ fill: ink, fontWeight: 600 }}
        >
          {dot.label}
        </text>
      )}
    </g>
  );
}
