'use client';
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';
import type { Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { count } from '../../format/number';
import { layerPath, linePath, stepPath, type Scale } from '../model/chart-paths';
import { fitting } from '../model/chart-fit';
import {
  CPU_KEYS,
  cpuRows,
  cpuTop,
  goodputRows,
  goodputTop,
  holeCores,
  stretches,
} from '../model/chart-rows';
import { latencyNow } from '../model/latency-now';
import type { Topic } from '../model/run-model';
import { seriesView, type SeriesView } from '../model/series-view';
import { useTopics } from '../use-session';
import { CPU_COLOUR, TRANSPORT_COLOUR } from './colours';
import { Holes, LineName, Percentiles, PlotTitle, StretchName } from './layers';

/**
 * The curves of the charts, drawn on the library's scales by components that follow the run themselves: ten times a
 * second one path changes, and nothing else of the chart.
 */

const SERIES: readonly Topic[] = ['series'];
const HISTOGRAM: readonly Topic[] = ['histogram'];
/** Half a line's width, which the edge of the plot must not cut off. */
const EDGE = 2;

function useScales(): { x: Scale; y: Scale } | null {
  const x = useXAxisScale();
  const y = useYAxisScale();
  return x && y ? { x, y } : null;
}

/**
 * The latest series that the axes as they are drawn have room for. Newer ones wait until the axes have grown, so that
 * ticks and curve always belong together.
 */
function useFitting(view: RunView, chart: string, topOf: (series: SeriesView) => number): SeriesView {
  const scales = useScales();
  const plot = usePlotArea();
  return fitting(view.model, chart, seriesView(view.model), (series) => {
    if (!scales || !plot) return false;
    const x = scales.x(series.domain[1]);
    const y = scales.y(topOf(series));
    return x !== undefined && y !== undefined && x <= plot.x + plot.width + EDGE && y >= plot.y - EDGE;
  });
}

/** What leaves the axes before they have followed is not drawn. */
function Clip({ children }: { children: ReactNode }) {
  const plot = usePlotArea();
  if (!plot) return null;
  return (
    <svg
      x={plot.x - EDGE}
      y={plot.y - EDGE}
      width={plot.width + 2 * EDGE}
      height={plot.height + 2 * EDGE}
      overflow="hidden"
    >
      <g transform={`translate(${EDGE - plot.x} ${EDGE - plot.y})`}>{children}</g>
    </svg>
  );
}

export function GoodputCurves({ view }: { view: RunView }) {
  useTopics(view, SERIES, 'curve');
  const scales = useScales();
  const series = useFitting(view, 'goodput', goodputTop);
  if (!scales) return null;
  const rows = goodputRows(series);
  return (
    <>
      <Clip>
        <Holes holes={series.holes} value={(hole) => hole.sample.gbps} />
        {series.transports.map((t) => (
          <path
            key={t}
            d={linePath(rows, t, scales.x, scales.y)}
            fill="none"
            stroke={TRANSPORT_COLOUR[t].line}
            strokeDasharray={TRANSPORT_COLOUR[t].dash}
            strokeWidth={2}
          />
        ))}
      </Clip>
      {series.transports.map((t) => {
        const end = rows.findLast((r) => r[t] !== undefined);
        return end ? <LineName key={t} transport={t} x={end.t} y={end[t]!} /> : null;
      })}
    </>
  );
}

export function CpuCurves({ view, transport }: { view: RunView; transport: Transport | null }) {
  useTopics(view, SERIES, 'curve');
  const scales = useScales();
  const series = useFitting(view, `cpu ${transport}`, cpuTop);
  if (!scales) return null;
  const rows = cpuRows(series, transport);
  const holes = series.holes.filter((hole) => transport === null || hole.transport === transport);
  return (
    <>
      <Clip>
        <Holes holes={holes} value={holeCores} />
        {CPU_KEYS.map((k, i) => (
          <path
            key={k}
            d={layerPath(rows, CPU_KEYS.slice(0, i), k, scales.x, scales.y)}
            stroke="var(--panel)"
            fill={CPU_COLOUR[k].fill}
          />
        ))}
      </Clip>
      {transport === null
        ? stretches(series).map((s) => <StretchName key={`${s.transport} ${s.from}`} {...s} />)
        : null}
    </>
  );
}

/** What a latency of each transport is the latency of. */
export const COUNTED: Readonly<Record<Transport, string>> = {
  rdma: 'signaled requests',
  tcp: 'TCP messages',
  udp: 'UDP round trips',
};

export function LatencyCurves({ view, transport }: { view: RunView; transport: Transport }) {
  useTopics(view, HISTOGRAM, 'curve');
  const scales = useScales();
  const { edges, curves } = latencyNow(view.model);
  const curve = curves.find((c) => c.transport === transport);
  if (!scales || !curve) return null;
  const { line, ink } = TRANSPORT_COLOUR[transport];
  const heights = curve.share.map((share) => share * 100);
  return (
    <>
      <Clip>
        <path
          d={stepPath(edges, heights, scales.x, scales.y)}
          stroke={line}
          strokeWidth={1.5}
          fill={line}
          fillOpacity={0.18}
        />
      </Clip>
      <PlotTitle words={`% of ${COUNTED[transport]} (n = ${count(curve.total)})`} ink={ink} />
      <Percentiles
        ink={ink}
        marks={[
          ['p50', curve.p50],
          ['p99', curve.p99],
          ['p999', curve.p999],
        ]}
      />
    </>
  );
}
