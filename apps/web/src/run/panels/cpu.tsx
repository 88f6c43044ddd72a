'use client';
import { CpuChart, cpuCharts, cpuTicks } from '@verbslab/charts';
import { CPU_KEYS, cpuRows, cpuTable, seriesView, type Domain, type SeriesView } from '@verbslab/charts/data';
import { isFinal, isProgram, type Transport } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { CPU_COLOR } from '../../parts/charts/colors';
import { Crosshair } from '../../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../../parts/charts/frame';
import { OVER_TIME, useRunTime } from '../../parts/charts/over-time';
import { Swatch } from '../../parts/charts/swatch';
import type { Topic } from '../../model/run-model';
import { useTransportLook, useTransportName } from '../../parts/charts/transport-names';
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
        <Charts series={series} live={!isFinal(view.model.record.state)} />
      </ChartPlace>
    </>
  );
}

const LINES = [...CPU_KEYS]
  .reverse()
  .map((key) => ({ key, name: CPU_COLOR[key].name, color: CPU_COLOR[key].fill }));

/** Transports that ran at once get a chart each, on one scale. */
function Charts({ series, live }: { series: SeriesView; live: boolean }) {
  const domain = useRunTime(series, live);
  return (
    <div className="flex h-full flex-col">
      {cpuCharts(series).map((transport) => (
        <div key={transport ?? 'all'} className="min-h-0 flex-1">
          <Chart {...{ series, domain, transport }} />
        </div>
      ))}
    </div>
  );
}

interface ChartProps {
  series: SeriesView;
  domain: Domain;
  transport: Transport | null;
}

function Chart({ series, domain, transport }: ChartProps) {
  const lookOf = useTransportLook();
  const rows = cpuRows(series, transport);
  const name = transport ? lookOf(transport).name : null;
  return (
    <ChartFrame>
      {(size) => (
        <CpuChart
          {...{ series, domain, lookOf, transport, ...size }}
          label={name ? `CPU of ${name} over run time` : 'CPU over run time'}
          title={name ? `cores, ${name}` : 'cores'}
          ticks={cpuTicks(series)}
          margin={MARGIN}
          over={<Crosshair {...OVER_TIME} rows={rows} lines={LINES} unit="cores" />}
        />
      )}
    </ChartFrame>
  );
}

/** The three steps of one hue, named; stands in the panel's heading. */
export function CpuKey() {
  return (
    <span className="flex items-center gap-3">
      {CPU_KEYS.map((k) => (
        <Swatch key={k} fill={CPU_COLOR[k].fill}>
          {CPU_COLOR[k].name}
        </Swatch>
      ))}
    </span>
  );
}
