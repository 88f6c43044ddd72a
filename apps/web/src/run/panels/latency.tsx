'use client';
import { LatencyChart, latencyTable } from '../../parts/charts/latency-chart';
import { latencyNow } from '../../model/latency-now';
import type { Topic } from '../../model/run-model';
import { useTransportName } from '../../parts/charts/transport-names';
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
      <LatencyChart latency={latency} />
    </ChartPlace>
  );
}
