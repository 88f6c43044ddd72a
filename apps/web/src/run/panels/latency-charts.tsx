'use client';
import { LatencyChart } from '@verbslab/charts';
import { axisTicks, type LatencyCurve, type LatencyView } from '@verbslab/charts/data';
import { useMemo } from 'react';
import { text, time } from '../../format/number';
import { Crosshair, type CrosshairRow } from '../../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../../parts/charts/frame';
import { LatencyKey } from '../../parts/charts/latency-key';
import { useTransportLook } from '../../parts/charts/transport-names';

/** Histograms, one per transport, below each other on the same logarithmic axis. */
export function LatencyCharts({ latency: { edges, curves } }: { latency: LatencyView }) {
  // Shared scale, so that the heights can be compared.
  const ticks = axisTicks(
    curves.flatMap(({ share }) => share.map((each) => each * 100)),
    2,
  );
  return (
    <div className="@container flex h-full flex-col">
      {curves.map((curve, i) => (
        <Chart key={curve.transport} {...{ edges, curve, ticks }} continued={i < curves.length - 1} />
      ))}
    </div>
  );
}

// Titles and percentiles are above each plot, outside of it.
const LAST = { ...MARGIN, top: 8, right: 28 };
const UPPER = { ...LAST, bottom: 22 };

const bin = ({ from, to }: CrosshairRow): string => `${text(time(from))} to ${text(time(to))}`;

interface ChartProps {
  edges: readonly number[];
  curve: LatencyCurve;
  ticks: readonly number[];
  /** True if another plot follows below. */
  continued: boolean;
}

function Chart({ edges, curve, ticks, continued }: ChartProps) {
  const look = useTransportLook()(curve.transport);
  const rows = useMemo(
    () =>
      curve.share.map((share, k) => {
        const [from, to] = [edges[k]!, edges[k + 1]!];
        return { middle: Math.sqrt(from * to), from, to, share: share * 100 };
      }),
    [curve, edges],
  );
  const lines = [{ key: 'share', name: look.name, color: look.line }];
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <LatencyKey curve={curve} look={look} />
      <div className="min-h-0 flex-1">
        <ChartFrame>
          {(size) => (
            <LatencyChart
              {...{ edges, curve, look, ticks, continued, ...size }}
              label={`Latency of ${look.name}`}
              margin={continued ? UPPER : LAST}
              over={<Crosshair group="latency" by="middle" title={bin} rows={rows} lines={lines} unit="%" />}
            />
          )}
        </ChartFrame>
      </div>
    </div>
  );
}
