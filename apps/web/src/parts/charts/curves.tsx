'use client';
import type { Transport } from '@verbslab/protocol';
import {
  type ChartRow,
  CPU_KEYS,
  cpuRows,
  holeCores,
  type LatencyCurve,
  layerPath,
  linePath,
  overlapping,
  percentileMarks,
  type SeriesView,
  stepPath,
  stretches,
} from '@verbslab/charts/data';
import type { ReactNode } from 'react';
import { useTransportColour } from './transport-names';
import { CPU_COLOUR } from './colours';
import { Holes, LineName, PercentileLines, StretchNames } from './layers';
import { usePlot } from './plot-context';

/** Half a line's width, which the edge of the plot must not cut off. */
const EDGE = 2;

/** What lies beyond the axes is not drawn. */
export function Clip({ children }: { children: ReactNode }) {
  const { area } = usePlot();
  return (
    <svg
      x={area.x - EDGE}
      y={area.y - EDGE}
      width={area.width + 2 * EDGE}
      height={area.height + 2 * EDGE}
      overflow="hidden"
    >
      <g transform={`translate(${EDGE - area.x} ${EDGE - area.y})`}>{children}</g>
    </svg>
  );
}

/** Goodput of each transport as a line that carries its name. */
export function GoodputCurves({ series, rows }: { series: SeriesView; rows: readonly ChartRow[] }) {
  const { x, y } = usePlot();
  const colourOf = useTransportColour();
  const inTurn = series.transports.length > 1 && !overlapping(series);
  return (
    <>
      <Clip>
        <Holes holes={series.holes} value={(hole) => hole.sample.gbps} />
        {series.transports.map((t) => (
          <path
            key={t}
            d={linePath(rows, t, x, y)}
            fill="none"
            stroke={colourOf(t).line}
            strokeDasharray={colourOf(t).dash}
            strokeWidth={2}
          />
        ))}
      </Clip>
      {/* In turn, a line's end is where the other's begins: the names stand above the stretches. */}
      {inTurn ? <StretchNames list={stretches(series)} /> : null}
      {series.transports.map((t) => {
        const end = inTurn ? undefined : rows.findLast((r) => r[t] !== undefined);
        return end ? <LineName key={t} transport={t} x={end.t} y={end[t]!} /> : null;
      })}
    </>
  );
}

/** CPU as a stack of its parts: of one transport, or of whichever ran (`transport` null). */
export function CpuCurves(props: {
  series: SeriesView;
  rows: readonly ChartRow[];
  transport: Transport | null;
}) {
  const { series, rows, transport } = props;
  const { x, y } = usePlot();
  // One stack a transport: a line from one to the other would look like a measurement.
  const stacks = transport === null ? series.transports.map((t) => cpuRows(series, t)) : [rows];
  const holes = series.holes.filter((hole) => transport === null || hole.transport === transport);
  return (
    <>
      <Clip>
        <Holes holes={holes} value={holeCores} />
        {stacks.flatMap((stack, which) =>
          CPU_KEYS.map((k, i) => (
            <path
              key={`${which} ${k}`}
              d={layerPath(stack, CPU_KEYS.slice(0, i), k, x, y)}
              stroke="var(--panel)"
              fill={CPU_COLOUR[k].fill}
            />
          )),
        )}
      </Clip>
      {transport === null ? <StretchNames list={stretches(series)} /> : null}
    </>
  );
}

/** A histogram and the lines of its percentiles. */
export function LatencyCurves({ edges, curve }: { edges: readonly number[]; curve: LatencyCurve }) {
  const { x, y } = usePlot();
  const { line, ink } = useTransportColour()(curve.transport);
  const heights = curve.share.map((share) => share * 100);
  return (
    <>
      <Clip>
        <path
          d={stepPath(edges, heights, x, y)}
          stroke={line}
          strokeWidth={1.5}
          fill={line}
          fillOpacity={0.18}
        />
      </Clip>
      <PercentileLines ink={ink} marks={percentileMarks(curve)} />
    </>
  );
}
