'use client';
import { cpuPerGBTotal } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { CostBars } from '../../parts/charts/cost-bars';
import { COST_COLOR } from '../../parts/charts/colors';
import { nicText } from '../../parts/charts/nic-text';
import { figures } from '../../model/figures';
import type { Topic } from '../../model/run-model';
import { useTransportName } from '../../parts/charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { DataTable } from '../../ui/data-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['series', 'record', 'state'];

export default function CostPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS);
  const nameOf = useTransportName();
  const bars = figures(view.model).flatMap((f) => (f.cpu ? [{ transport: f.transport, cost: f.cpu }] : []));
  if (bars.length === 0)
    return (
      <Waiting
        record={view.model.record}
        soon="CPU seconds per GB appear here once data has moved."
        never="No bytes were measured, so there is no cost per GB."
      />
    );
  if (table) {
    const outside = bars.some((b) => b.cost.outside !== undefined);
    return (
      <DataTable
        shows="cost-table"
        caption="CPU seconds per GB"
        head={[
          'Transport',
          'Application',
          'NIC work',
          'Kernel',
          ...(outside ? [COST_COLOR.outside.name] : []),
          'Sum',
        ]}
        rows={bars.map((b) => [
          nameOf(b.transport),
          sig3(b.cost.app),
          b.cost.nic === null ? 'not reported' : nicText(b.transport, b.cost.nic),
          sig3(b.cost.kernel),
          ...(outside ? [sig3(b.cost.outside)] : []),
          sig3(cpuPerGBTotal(b.cost)),
        ])}
      />
    );
  }
  return (
    <div className="chart">
      <CostBars bars={bars} />
    </div>
  );
}
