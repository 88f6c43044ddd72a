'use client';
import { NOT_ENOUGH_SAMPLES, type Transport } from '@verbslab/protocol';
import { memo, useMemo } from 'react';
import {
  Area,
  AreaChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from 'recharts';
import type { RunView } from '../../connection/run-view';
import { sig3, text, time } from '../../format/number';
import { axisTicks } from '../model/chart-rows';
import type { LatencyCurve, LatencyView } from '../model/latency-view';
import { TRANSPORT_COLOUR } from './colours';
import { COUNTED, LatencyCurves } from './curves';
import { CURSOR, FIRST_SIZE } from './goodput-chart';
import { useHeld } from './held';
import { same } from './stable';
import { ChartTip } from './tooltip';
import { sameTicks, tickText, Y_WIDTH } from './time-axis';

/** One histogram a transport, one below the other on the same logarithmic axis, p50, p99 and p99.9 marked. */
export function LatencyChart(props: { view: RunView; latency: LatencyView; live: boolean }) {
  return (
    <div className="flex h-full flex-col">
      {props.latency.curves.map((c, i) => (
        <div key={c.transport} className="min-h-0 flex-1">
          <OneHistogram {...props} curve={c} last={i === props.latency.curves.length - 1} />
        </div>
      ))}
    </div>
  );
}

const axisTime = (ns: number): string => {
  const q = time(ns);
  return `${Number(q.value.replaceAll(',', ''))} ${q.unit}`;
};

/** 1, 2 and 5 of each decade inside the axis; decades alone when there are many. */
function logTicks(lo: number, hi: number): number[] {
  const from = Math.floor(Math.log10(lo));
  const to = Math.ceil(Math.log10(hi));
  const within = to - from > 3 ? [1] : to - from > 1 ? [1, 3] : [1, 2, 5];
  const out: number[] = [];
  for (let d = from; d <= to; d++) for (const m of within) out.push(m * 10 ** d);
  return out.filter((t) => t >= lo && t <= hi);
}

const MARGIN_LAST = { top: 24, right: 28, bottom: 16, left: 0 };
const MARGIN_UPPER = { ...MARGIN_LAST, bottom: 2 };
const X_LABEL = {
  value: 'latency, log axis',
  position: 'insideBottom' as const,
  offset: -12,
  fill: 'var(--ink-3)',
};
const from = (ns: number) => `from ${text(time(ns))}`;

interface HistogramRow {
  ns: number;
  share: number;
}

function OneHistogram(props: {
  view: RunView;
  latency: LatencyView;
  curve: LatencyCurve;
  last: boolean;
  live: boolean;
}) {
  const { view, latency, curve, last, live } = props;
  const { edges } = latency;
  const rows = useMemo(
    () => edges.map((ns, i) => ({ ns, share: (curve.share[i] ?? 0) * 100 })),
    [edges, curve],
  );
  const yTicks = sameTicks(
    axisTicks(
      rows.map((r) => r.share),
      2,
    ),
  );
  const lo = edges[0]!;
  const hi = edges.at(-1)!;
  const data = useHeld(rows, `${lo} ${hi} ${yTicks.join()}`, view.model.version.histogram, live);
  return (
    <Frame view={view} data={data} transport={curve.transport} lo={lo} hi={hi} yTicks={yTicks} last={last} />
  );
}

/** Axes, crosshair and the figures under it. The area is there for the crosshair alone: see curves.tsx. */
const Frame = memo(function Frame(props: {
  view: RunView;
  data: HistogramRow[];
  transport: Transport;
  lo: number;
  hi: number;
  yTicks: readonly number[];
  last: boolean;
}) {
  const { view, data, transport, lo, hi, yTicks, last } = props;
  const top = yTicks.at(-1)!;
  const { line, name } = TRANSPORT_COLOUR[transport];
  const tip = same(`latency tip ${name}`, () => {
    const lines = [{ key: 'share', name, colour: line }];
    return (p: TooltipContentProps) => <ChartTip {...p} lines={lines} unit="%" title={from} />;
  });
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={FIRST_SIZE}>
      <AreaChart data={data} margin={last ? MARGIN_LAST : MARGIN_UPPER} title={`Latency of ${name}`}>
        <CartesianGrid vertical={false} stroke="var(--grid)" />
        <XAxis
          dataKey="ns"
          type="number"
          scale="log"
          domain={same(`log ${lo} ${hi}`, () => [lo, hi] as [number, number])}
          ticks={same(`log ticks ${lo} ${hi}`, () => logTicks(lo, hi))}
          interval={0}
          tickFormatter={axisTime}
          tickLine={false}
          stroke="var(--line-strong)"
          height={20}
          {...(last ? { label: X_LABEL } : {})}
        />
        <YAxis
          type="number"
          domain={same(`from 0 ${top}`, () => [0, top] as [number, number])}
          ticks={yTicks}
          interval={0}
          tickFormatter={tickText}
          width={Y_WIDTH}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip isAnimationActive={false} cursor={CURSOR} content={tip} />
        <Area
          dataKey="share"
          type="stepAfter"
          stroke="none"
          fill="none"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
        <LatencyCurves view={view} transport={transport} />
      </AreaChart>
    </ResponsiveContainer>
  );
});

/** The same as a table. */
export function latencyTable(latency: LatencyView): { head: string[]; rows: (string | number)[][] } {
  const columns: [string, (c: LatencyCurve) => number | null][] = [
    ['min', (c) => c.min],
    ['p50', (c) => c.p50],
    ['p99', (c) => c.p99],
    ['p99.9', (c) => c.p999],
    ['max', (c) => c.max],
  ];
  const us = (ns: number | null): string => (ns === null ? NOT_ENOUGH_SAMPLES : sig3(ns / 1000));
  return {
    head: ['Transport', 'Counted', 'n', ...columns.map(([n]) => `${n}, µs`)],
    rows: latency.curves.map((c) => [
      TRANSPORT_COLOUR[c.transport].name,
      COUNTED[c.transport],
      c.total,
      ...columns.map(([, f]) => us(f(c))),
    ]),
  };
}
