'use client';
import { COUNTED, type LatencyCurve, type LatencyView } from '@verbslab/charts/data';
import { NOT_ENOUGH_SAMPLES } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { latencyNow } from '../../model/latency-now';
import type { Topic } from '../../model/run-model';
import { useTransportName, type NameOf } from '../../parts/charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { ChartPlace } from './chart-place';
import { LatencyCharts } from './latency-charts';
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
      <LatencyCharts latency={latency} />
    </ChartPlace>
  );
}

/** Table with the content of the charts. */
export function latencyTable(
  latency: LatencyView,
  nameOf: NameOf,
): { head: string[]; rows: (string | number)[][] } {
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
