import type { Transport } from '@verbslab/protocol';
import { useMemo } from 'react';
import { Area } from 'recharts';
import {
  axisTicks,
  CPU_KEYS,
  cpuRows,
  cpuTop,
  holeCores,
  overlapping,
  stretches,
  type ChartRow,
} from '../data/chart-rows.js';
import type { SeriesView } from '../data/series-view.js';
import { Holes } from '../marks/holes.js';
import { StretchNames } from '../marks/names.js';
import { StartUps } from '../marks/start-ups.js';
import { YAxis } from '../plot/axes.js';
import { layerOf } from '../plot/columns.js';
import { LAYERS } from '../plot/layers.js';
import { Plot } from '../plot/plot.js';
import { fromZero, TimeAxis, type OverTimeProps } from './goodput-chart.js';

const keyOf = (transport: Transport, part: string): string => `${transport} ${part}`;

/**
 * The parts of each transport in columns of their own. A line from one transport to the next would look like a
 * measurement.
 */
function stackRows(series: SeriesView, transports: readonly Transport[]): ChartRow[] {
  const rows = series.rows.map(({ t }): ChartRow => ({ t }));
  for (const transport of transports)
    for (const [i, own] of cpuRows(series, transport).entries())
      for (const part of CPU_KEYS) {
        const value = own[part];
        if (value !== undefined) rows[i]![keyOf(transport, part)] = value;
      }
  return rows;
}

interface CpuChartProps extends OverTimeProps {
  /** The transport of this chart when several ran at once. Null: one chart for all transports, which ran in turn. */
  transport: Transport | null;
  label: string;
  title: string;
  /** Ticks of the y axis. */
  ticks: readonly number[];
}

/**
 * The transports with a CPU chart each when they ran at once; one null entry when they ran in turn. All charts share a
 * scale.
 */
export const cpuCharts = (series: SeriesView): (Transport | null)[] =>
  overlapping(series) ? series.transports : [null];

/** Ticks of the y axis, shared by all CPU charts of a run. */
export const cpuTicks = (series: SeriesView): number[] =>
  axisTicks([cpuTop(series)], cpuCharts(series).length > 1 ? 2 : 4, 1);

/** CPU of both ends in cores, as a stack of its parts. */
export function CpuChart(props: CpuChartProps) {
  const { series, domain, lookOf, transport, label, title, ticks, ...size } = props;
  const transports = useMemo(
    () => (transport === null ? series.transports : [transport]),
    [series, transport],
  );
  const rows = useMemo(() => stackRows(series, transports), [series, transports]);
  return (
    <Plot label={label} {...size} x={{ domain, scale: 'linear' }} y={fromZero(ticks)} rows={rows}>
      <TimeAxis domain={domain} />
      <YAxis ticks={ticks} title={title} named={transport === null} />
      <StartUps list={series.startUps} />
      <Holes
        holes={series.holes.filter((hole) => transports.includes(hole.transport))}
        value={holeCores}
        colorOf={(one) => lookOf(one).line}
      />
      {transports.map((one) =>
        CPU_KEYS.map((part, i) => (
          <Area
            key={keyOf(one, part)}
            dataKey={layerOf(
              CPU_KEYS.slice(0, i).map((below) => keyOf(one, below)),
              keyOf(one, part),
            )}
            type="linear"
            stroke="none"
            fill={`var(--cpu-${part})`}
            fillOpacity={1}
            zIndex={LAYERS.areas}
            activeDot={false}
            isAnimationActive={false}
            data-layer={keyOf(one, part)}
          />
        )),
      )}
      {transport === null ? <StretchNames list={stretches(series)} lookOf={lookOf} /> : null}
    </Plot>
  );
}
