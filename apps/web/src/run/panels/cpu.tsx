'use client';
import { isFinal, isProgram } from '@verbslab/protocol';
import { CPU_KEYS, cpuTable, seriesView } from '@verbslab/charts/data';
import { sig3 } from '../../format/number';
import { CpuChart } from '../../parts/charts/cpu-chart';
import { CPU_COLOUR } from '../../parts/charts/colours';
import { Swatch } from '../../parts/charts/swatch';
import type { Topic } from '../../model/run-model';
import { useTransportName } from '../../parts/charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { ChartPlace } from './chart-place';
import { DataTable } from '../../ui/data-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { seriesMissing, type Missing } from './waiting';

const WAITING: Missing = {
  soon: 'CPU time appears here, split into application, NIC work and kernel.',
  never: 'The run ended before CPU time was measured.',
};
const TOPICS: readonly Topic[] = ['series', 'state'];

export default function CpuPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, table ? 'table' : 'chart');
  const nameOf = useTransportName();
  const series = seriesView(view.model);
  const waiting = seriesMissing(view.model.record, series.rows, WAITING);
  if (table && series.rows.length > 0) {
    return (
      <DataTable
        shows="cpu-series"
        caption="CPU over run time, cores"
        {...cpuTable(series, { name: nameOf, figure: sig3 })}
      />
    );
  }
  return (
    <>
      {isProgram(view.model.record) && waiting === null ? (
        <p className="px-3 pb-1 text-13 text-ink-3" data-words>
          Polls that find nothing count as application, so a program that waits has little NIC work.
        </p>
      ) : null}
      <ChartPlace record={view.model.record} waiting={waiting} hatched={series.holes.length > 0}>
        <CpuChart series={series} live={!isFinal(view.model.record.state)} />
      </ChartPlace>
    </>
  );
}

/** The three steps of one hue, named; stands in the panel's heading. */
export function CpuKey() {
  return (
    <span className="flex items-center gap-3">
      {CPU_KEYS.map((k) => (
        <Swatch key={k} fill={CPU_COLOUR[k].fill}>
          {CPU_COLOUR[k].name}
        </Swatch>
      ))}
    </span>
  );
}
