'use client';
import type { Transport } from '@verbslab/protocol';
import { memo, useMemo } from 'react';
import { Area, AreaChart, ResponsiveContainer, Tooltip, type TooltipContentProps } from 'recharts';
import type { RunView } from '../../connection/run-view';
import { sig3 } from '../../format/number';
import { axisTicks, CPU_KEYS, cpuRows, cpuTop, overlapping, type ChartRow } from '../model/chart-rows';
import type { SeriesView } from '../model/series-view';
import { CPU_COLOUR, TRANSPORT_COLOUR } from './colours';
import { CpuCurves } from './curves';
import { CURSOR, FIRST_SIZE } from './goodput-chart';
import { useHeld } from './held';
import { StartUps } from './layers';
import { ChartTip } from './tooltip';
import { MARGIN, sameTicks, steadyDomain, timeAxes } from './time-axis';

const LINES = [...CPU_KEYS]
  .reverse()
  .map((k) => ({ key: k, name: CPU_COLOUR[k].name, colour: CPU_COLOUR[k].fill }));
const seconds = (x: number) => `${sig3(x)} s`;
const tip = (p: TooltipContentProps) => <ChartTip {...p} lines={LINES} unit="cores" title={seconds} />;

/** CPU of both ends in cores, stacked. Transports that ran at once get a chart each, on one scale. */
export function CpuChart(props: { view: RunView; series: SeriesView; live: boolean }) {
  const { view, series, live } = props;
  const { charts, rows } = useMemo(() => {
    const which: (Transport | null)[] = overlapping(series) ? series.transports : [null];
    return { charts: which, rows: which.map((t) => cpuRows(series, t)) };
  }, [series]);
  const yTicks = sameTicks(axisTicks([cpuTop(series)], charts.length > 1 ? 2 : 4, 1));
  const domain = steadyDomain(series.domain, live);
  const axes = `${charts.join(' ')} ${domain.join()} ${yTicks.join()}`;
  const data = useHeld(rows, axes, view.model.version.series, live);
  return (
    <div className="flex h-full flex-col">
      {charts.map((transport, i) => (
        <div key={transport ?? 'all'} className="min-h-0 flex-1">
          <Frame view={view} data={data[i]!} transport={transport} domain={domain} yTicks={yTicks} />
        </div>
      ))}
    </div>
  );
}

/** Axes, crosshair and the figures under it. The areas are there for the crosshair alone: see curves.tsx. */
const Frame = memo(function Frame(props: {
  view: RunView;
  data: ChartRow[];
  transport: Transport | null;
  domain: readonly [number, number];
  yTicks: readonly number[];
}) {
  const { view, data, transport, domain, yTicks } = props;
  const yTitle = transport ? `cores, ${TRANSPORT_COLOUR[transport].name}` : 'cores';
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={FIRST_SIZE}>
      <AreaChart data={data} margin={MARGIN} syncId="run" syncMethod="value" title="CPU over run time">
        <StartUps view={view} domain={domain} />
        {timeAxes({ domain, yTicks, yTitle })}
        <Tooltip isAnimationActive={false} cursor={CURSOR} content={tip} />
        {CPU_KEYS.map((k) => (
          <Area
            key={k}
            dataKey={k}
            stackId="cpu"
            type="linear"
            stroke="none"
            fill="none"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        ))}
        <CpuCurves view={view} transport={transport} />
      </AreaChart>
    </ResponsiveContainer>
  );
});
