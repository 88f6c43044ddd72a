'use client';
import {
  axisTicks,
  type Binned,
  logTicks,
  type PercentileMark,
  type Percentiles,
  stepPath,
  tickText,
} from '@verbslab/charts/data';
import { useMemo } from 'react';
import { sig3, text, time } from '../../format/number';
import { MARGIN, XAxis, YAxis } from './axes';
import type { CrosshairRow } from './crosshair';
import { Clip } from './curves';
import { Plot } from './plot';
import { usePlot } from './plot-context';

/** The latencies of one of several runs. */
export type OverlaidLatency = Percentiles & {
  key: string;
  name: string;
  colour: string;
  dash: string | undefined;
};

const axisTime = (ns: number): string => {
  const q = time(ns);
  return `${Number(q.value.replaceAll(',', ''))} ${q.unit}`;
};

/** The share of all operations that are not above the upper edge of each bin. */
function cumulative(share: readonly number[]): number[] {
  let sum = 0;
  return share.map((one) => (sum += one));
}

const SHARES: Readonly<Record<PercentileMark['which'], number>> = { p50: 50, p99: 99, p999: 99.9 };
export const MARKED = ['p50', 'p99', 'p999'] as const;

interface OverlayLatencyProps {
  view: Binned<OverlaidLatency>;
  /** Shares of each bin, or of all up to it. */
  kind: 'histogram' | 'cumulative';
  label: string;
}

/** Distributions over each other on one logarithmic axis, with p50, p99 and p99.9 marked on each. */
export function OverlayLatency({ view: { edges, curves }, kind, label }: OverlayLatencyProps) {
  const domain = [edges[0]!, edges.at(-1)!] as const;
  const heights = useMemo(
    () =>
      curves.map(({ share }) => (kind === 'histogram' ? share : cumulative(share)).map((one) => one * 100)),
    [curves, kind],
  );
  const ticks = kind === 'histogram' ? axisTicks(heights.flat(), 4) : [0, 25, 50, 75, 100];
  const rows = edges.slice(0, -1).map((from, i): CrosshairRow => {
    const to = edges[i + 1]!;
    return {
      ...{ at: kind === 'histogram' ? Math.sqrt(from * to) : to, from, to },
      ...Object.fromEntries(curves.map(({ key }, which) => [key, heights[which]![i]!])),
    };
  });
  const title = ({ from, to }: CrosshairRow): string =>
    kind === 'histogram' ? `${text(time(from))} to ${text(time(to))}` : `up to ${text(time(to))}`;
  return (
    <Plot
      label={label}
      margin={PLACE}
      xDomain={domain}
      xScale="log"
      yDomain={[0, ticks.at(-1)!]}
      crosshair={{
        ...{ group: 'compare latency', by: 'at', rows, unit: '%', title },
        lines: curves.map(({ key, name, colour }) => ({ key, name, colour, dot: kind === 'cumulative' })),
      }}
    >
      <YAxis
        ticks={ticks}
        title={kind === 'histogram' ? '% of operations' : '% of operations done'}
        format={tickText}
      />
      <XAxis ticks={logTicks(domain)} format={axisTime} title="latency, log axis" />
      <Clip>
        {curves.map((curve, i) => (
          <Outline key={curve.key} curve={curve} edges={edges} heights={heights[i]!} kind={kind} />
        ))}
      </Clip>
      {curves.map((curve, i) => (
        <Marks key={curve.key} curve={curve} edges={edges} heights={heights[i]!} kind={kind} />
      ))}
    </Plot>
  );
}

const PLACE = { ...MARGIN, right: 28 };

interface OutlineProps {
  curve: OverlaidLatency;
  edges: readonly number[];
  heights: readonly number[];
  kind: OverlayLatencyProps['kind'];
}

function Outline({ curve: { key, colour, dash }, edges, heights, kind }: OutlineProps) {
  const { x, y } = usePlot();
  const d =
    kind === 'histogram'
      ? stepPath(edges, heights, x, y)
      : `M${x(edges[0]!).toFixed(1)} ${y(0).toFixed(1)}${heights
          .map((height, i) => `L${x(edges[i + 1]!).toFixed(1)} ${y(height).toFixed(1)}`)
          .join('')}`;
  return (
    <path
      d={d}
      data-line={key}
      fill="none"
      stroke={colour}
      strokeWidth={kind === 'histogram' ? 1.5 : 2}
      strokeDasharray={dash}
    />
  );
}

/** A circle, a triangle or a square, so that percentiles differ in more than colour. */
export function PercentileShape({
  which,
  x,
  y,
  fill,
}: {
  which: PercentileMark['which'];
  x: number;
  y: number;
  fill: string;
}) {
  const rim = { stroke: 'var(--panel)', strokeWidth: 1, fill };
  if (which === 'p50') return <circle cx={x} cy={y} r={4} {...rim} />;
  if (which === 'p99') return <path d={`M${x} ${y - 5}l5 9h-10z`} {...rim} />;
  return <rect x={x - 4} y={y - 4} width={8} height={8} {...rim} />;
}

function Marks({ curve, edges, heights, kind }: OutlineProps) {
  const { x, y } = usePlot();
  return MARKED.map((which) => {
    const ns = curve[which];
    if (ns === null) return null;
    const bin = edges.findIndex((edge, i) => i + 1 < edges.length && ns < edges[i + 1]!);
    const height = kind === 'cumulative' ? SHARES[which] : (heights[bin] ?? 0);
    return <PercentileShape key={which} which={which} x={x(ns)} y={y(height)} fill={curve.colour} />;
  });
}

/** `12.3 µs`, for tables. */
export const microseconds = (ns: number | null, withheld: string): string =>
  ns === null ? withheld : sig3(ns / 1000);
