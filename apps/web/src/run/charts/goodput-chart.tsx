'use client';
import type { Transport } from '@verbslab/protocol';
import { memo, useMemo } from 'react';
import { Line, LineChart, ResponsiveContainer, Tooltip, type TooltipContentProps } from 'recharts';
import type { RunView } from '../../connection/run-view';
import { sig3 } from '../../format/number';
import { axisTicks, goodputRows, goodputTop, type ChartRow } from '../model/chart-rows';
import type { SeriesView } from '../model/series-view';
import { TRANSPORT_COLOUR } from './colours';
import { GoodputCurves } from './curves';
import { useHeld } from './held';
import { StartUps } from './layers';
import { same } from './stable';
import { ChartTip } from './tooltip';
import { MARGIN, sameTicks, steadyDomain, timeAxes } from './time-axis';

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
export function GoodputChart(props: { view: RunView; series: SeriesView; live: boolean }) {
  const { view, series, live } = props;
  const rows = useMemo(() => goodputRows(series), [series]);
  const yTicks = sameTicks(axisTicks([goodputTop(series)]));
  const domain = steadyDomain(series.domain, live);
  const names = series.transports.join(' ');
  const data = useHeld(rows, `${names} ${domain.join()} ${yTicks.join()}`, view.model.version.series, live);
  const transports = same(`transports ${names}`, () => series.transports);
  return <Frame view={view} data={data} transports={transports} domain={domain} yTicks={yTicks} />;
}

/** Axes, crosshair and the figures under it. The lines are there for the crosshair alone: see curves.tsx. */
const Frame = memo(function Frame(props: {
  view: RunView;
  data: ChartRow[];
  transports: readonly Transport[];
  domain: readonly [number, number];
  yTicks: readonly number[];
}) {
  const { view, data, transports, domain, yTicks } = props;
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={FIRST_SIZE}>
      <LineChart data={data} margin={MARGIN} syncId="run" syncMethod="value" title="Goodput over run time">
        <StartUps view={view} domain={domain} />
        {timeAxes({ domain, yTicks, yTitle: 'Gb/s' })}
        <Tooltip isAnimationActive={false} cursor={CURSOR} content={tip} />
        {transports.map((t) => (
          <Line
            key={t}
            dataKey={t}
            stroke="none"
            dot={false}
            activeDot={same(`dot ${t}`, () => ({ r: 3, strokeWidth: 0, fill: TRANSPORT_COLOUR[t].line }))}
            isAnimationActive={false}
          />
        ))}
        <GoodputCurves view={view} />
      </LineChart>
    </ResponsiveContainer>
  );
});
