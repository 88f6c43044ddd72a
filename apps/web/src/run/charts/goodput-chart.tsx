'use client';
import { Line, LineChart, ResponsiveContainer, Tooltip, type TooltipContentProps } from 'recharts';
import { sig3 } from '../../format/number';
import { axisTicks, goodputRows } from '../model/chart-rows';
import type { SeriesView } from '../model/series-view';
import { TRANSPORT_COLOUR } from './colours';
import { LineName, StartUps } from './layers';
import { same } from './stable';
import { ChartTip } from './tooltip';
import { MARGIN, steadyDomain, timeAxes } from './time-axis';

const LINES = (['rdma', 'tcp', 'udp'] as const).map((t) => ({
  key: t,
  name: TRANSPORT_COLOUR[t].name,
  colour: TRANSPORT_COLOUR[t].line,
}));
const seconds = (x: number) => `${sig3(x)} s`;
const tip = (p: TooltipContentProps) => <ChartTip {...p} lines={LINES} unit="Gb/s" title={seconds} />;
export const CURSOR = { stroke: 'var(--ink-2)', strokeWidth: 1 };
export const FIRST_SIZE = { width: 640, height: 200 };

/** Goodput of each transport over run time, from zero; the lines carry their names. */
export function GoodputChart({ series, live }: { series: SeriesView; live: boolean }) {
  const rows = goodputRows(series);
  const yTicks = axisTicks(rows.flatMap((r) => series.transports.map((t) => r[t])));
  const domain = steadyDomain(series.domain, live);
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={FIRST_SIZE}>
      <LineChart data={rows} margin={MARGIN} syncId="run" syncMethod="value" title="Goodput over run time">
        <StartUps list={series.startUps} domain={domain} />
        {timeAxes({ domain, yTicks, yTitle: 'Gb/s' })}
        <Tooltip isAnimationActive={false} cursor={CURSOR} content={tip} />
        {series.transports.map((t) => (
          <Line
            key={t}
            dataKey={t}
            stroke={TRANSPORT_COLOUR[t].line}
            strokeDasharray={TRANSPORT_COLOUR[t].dash ?? ''}
            strokeWidth={2}
            dot={false}
            activeDot={same(`dot ${t}`, () => ({ r: 3, strokeWidth: 0, fill: TRANSPORT_COLOUR[t].line }))}
            isAnimationActive={false}
          />
        ))}
        {series.transports.map((t) => {
          const end = rows.findLast((r) => r[t] !== undefined);
          return end ? <LineName key={`name-${t}`} transport={t} x={end.t} y={end[t]!} /> : null;
        })}
      </LineChart>
    </ResponsiveContainer>
  );
}
