'use client';
import { isFinal } from '@verbslab/protocol';
import { LatencyChart, latencyTable } from '../charts/latency-chart';
import { latencyNow } from '../model/latency-now';
import type { LatencyView } from '../model/latency-view';
import type { Topic } from '../model/run-model';
import { useTopics } from '../use-session';
import { ChartPlace } from './chart-place';
import { DataTable } from './data-table';
import type { PanelContentProps } from './types';
import type { Missing } from './waiting';

/** What the chart is mounted with before there is anything to show; nobody sees it. */
const OUT_OF_SIGHT: LatencyView = {
  edges: [1e3, 1e5],
  curves: [{ transport: 'rdma', total: 0, min: 1e3, max: 1e5, p50: 1e4, p99: 1e4, p999: 1e4, share: [0] }],
};
const WAITING: Missing = {
  soon: 'The latency of each operation, from post to completion, is gathered here.',
  never: 'No latency was measured.',
};
const TOPICS: readonly Topic[] = ['histogram', 'state'];

export default function LatencyPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, 'chart');
  const latency = latencyNow(view.model);
  const empty = latency.curves.length === 0;
  if (table && !empty) return <DataTable caption="Latency" {...latencyTable(latency)} />;
  return (
    <ChartPlace record={view.model.record} waiting={empty ? WAITING : null}>
      <LatencyChart
        view={view}
        latency={empty ? OUT_OF_SIGHT : latency}
        live={!isFinal(view.model.record.state)}
      />
    </ChartPlace>
  );
}
