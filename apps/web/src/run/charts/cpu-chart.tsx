'use client';
import type { Transport } from '@verbslab/protocol';
import { Area, AreaChart, ResponsiveContainer, Tooltip, type TooltipContentProps } from 'recharts';
import { sig3 } from '../../format/number';
import { axisTicks, CPU_KEYS, cpuRows, overlapping, stretches } from '../model/chart-rows';
import type { SeriesView } from '../model/series-view';
import { CPU_COLOUR, TRANSPORT_COLOUR } from './colours';
import { CURSOR, FIRST_SIZE } from './goodput-chart';
import { StartUps, StretchName } from './layers';
import { ChartTip } from './tooltip';
import { MARGIN, steadyDomain, timeAxes } from './time-axis';

const LINES = [...CPU_KEYS]
  .reverse()
  .map((k) => ({ key: k, name: CPU_COLOUR[k].name, colour: CPU_COLOUR[k].fill }));
const seconds = (x: number) => `${sig3(x)} s`;
const tip = (p: TooltipContentProps) => <ChartTip {...p} lines={LINES} unit="cores" title={seconds} />;

/** CPU of both ends in cores, stacked. Transports that ran at once get a chart each, on one scale. */
export function CpuChart({ series, live }: { series: SeriesView; live: boolean }) {
  const apart = overlapping(series);
  const charts: (Transport | null)[] = apart ? series.transports : [null];
  const data = charts.map((t) => cpuRows(series, t));
  const yTicks = axisTicks(
    data.flat().map((r) => (r.app ?? 0) + (r.nic ?? 0) + (r.kernel ?? 0)),
    apart ? 2 : 4,
  );
  const domain = steadyDomain(series.domain, live);
  return (
    <div className="flex h-full flex-col">
      {charts.map((transport, i) => (
        <div key={transport ?? 'all'} className="min-h-0 flex-1">
          <ResponsiveContainer width="100%" height="100%" initialDimension={FIRST_SIZE}>
            <AreaChart
              data={data[i]!}
              margin={MARGIN}
              syncId="run"
              syncMethod="value"
              title="CPU over run time"
            >
              <StartUps list={series.startUps} domain={domain} />
              {timeAxes({
                domain,
                yTicks,
                yTitle: transport ? `cores, ${TRANSPORT_COLOUR[transport].name}` : 'cores',
              })}
              <Tooltip isAnimationActive={false} cursor={CURSOR} content={tip} />
              {CPU_KEYS.map((k) => (
                <Area
                  key={k}
                  dataKey={k}
                  stackId="cpu"
                  type="linear"
                  stroke="var(--panel)"
                  strokeWidth={1}
                  fill={CPU_COLOUR[k].fill}
                  fillOpacity={1}
                  dot={false}
                  activeDot={false}
                  isAnimationActive={false}
                />
              ))}
              {transport === null
                ? stretches(series).map((s) => <StretchName key={s.transport} {...s} />)
                : null}
            </AreaChart>
          </ResponsiveContainer>
        </div>
      ))}
    </div>
  );
}
