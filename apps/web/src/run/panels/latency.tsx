'use client';
import { LatencyChart } from '@verbslab/charts';
import { axisTicks, COUNTED, type LatencyCurve, type LatencyView } from '@verbslab/charts/data';
import { NOT_ENOUGH_SAMPLES } from '@verbslab/protocol';
import { useMemo } from 'react';
import { sig3, text, time } from '../../format/number';
import { Crosshair, type CrosshairRow } from '../../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../../parts/charts/frame';
import { LatencyKey } from '../../parts/charts/latency-key';
import { latencyNow } from '../../model/latency-now';
import type { Topic } from '../../model/run-model';
import { useTransportLook, useTransportName, type NameOf } from '../../parts/charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { ChartPlace } from './chart-place';
import { DataTable } from '../../ui/data-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import type { Missing } from './waiting';

const WAITING: Missing = {
  soon: 'The latency of operations, from post to completion, appears here.',
  never: 'No latency was measured.',
};
const TOPICS: readonly Topic[] = ['histogram', 'state'];

export default function LatencyPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, table ? 'table' : 'chart');
  const nameOf = useTransportName();
  const latency = latencyNow(view.model);
  const empty = latency.curves.length === 0;
  if (table && !empty)
    return <DataTable shows="latency-table" caption="Latency" {...latencyTable(latency, nameOf)} />;
  return (
    <ChartPlace record={view.model.record} waiting={empty ? WAITING : null}>
      <Charts latency={latency} />
    </ChartPlace>
  );
}

/** Histograms, one per transport, below each other on the same logarithmic axis. */
function Charts({ latency: { edges, curves } }: { latency: LatencyView }) {
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

/** Table with the content of the charts. */
function latencyTable(latency: LatencyView, nameOf: NameOf): { head: string[]; rows: (string | number)[][] } {
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
      nameOf(c.transport),
      COUNTED[c.transport],
      c.total,
      ...columns.map(([, f]) => us(f(c))),
    ]),
  };
}
