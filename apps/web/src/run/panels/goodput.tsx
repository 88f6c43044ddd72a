'use client';
import { GoodputChart } from '@verbslab/charts';
import { goodputRows, goodputTable, seriesView, type SeriesView } from '@verbslab/charts/data';
import { isFinal, isProgram } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { Term } from '../../ui/term';
import { Crosshair } from '../../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../../parts/charts/frame';
import { OVER_TIME, useRunTime } from '../../parts/charts/over-time';
import type { Topic } from '../../model/run-model';
import { Swatch } from '../../parts/charts/swatch';
import { useTransportLook, useTransportName } from '../../parts/charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { ChartPlace } from './chart-place';
import { DataTable } from '../../ui/data-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { seriesMissing, Waiting, type Missing } from './waiting';

const WAITING: Missing = {
  soon: 'Waiting for the first sample. Ten are taken per second.',
  never: 'The run ended before its first sample.',
};
const PASSIVE: Missing = {
  soon: WAITING.soon,
  never:
    'This program completed no request with payload. What a peer writes into its memory or reads from it makes no completion here: see the run of the peer.',
};
const TOPICS: readonly Topic[] = ['series', 'state'];

export default function GoodputPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, table ? 'table' : 'chart');
  const nameOf = useTransportName();
  const series = seriesView(view.model);
  const waiting = seriesMissing(view.model.record, series.rows, WAITING);
  if (table && series.rows.length > 0) {
    return (
      <DataTable
        shows="goodput-series"
        caption="Goodput over run time"
        {...goodputTable(series, { name: nameOf, figure: sig3 })}
      />
    );
  }
  const { record } = view.model;
  const idle = series.rows.every(({ hole, ...r }) =>
    series.transports.every((t) => !(hole?.transport === t ? hole.sample : r[t])?.gbps),
  );
  if (waiting === null && idle && isProgram(record) && isFinal(record.state))
    return <Waiting record={record} {...PASSIVE} />;
  return (
    <ChartPlace record={view.model.record} waiting={waiting} hatched={series.holes.length > 0}>
      <Chart series={series} live={!isFinal(view.model.record.state)} />
    </ChartPlace>
  );
}

function Chart({ series, live }: { series: SeriesView; live: boolean }) {
  const lookOf = useTransportLook();
  const domain = useRunTime(series, live);
  const lines = series.transports.map((one) => {
    const { name, line } = lookOf(one);
    return { key: one, name, color: line, dot: true };
  });
  return (
    <ChartFrame>
      {(size) => (
        <GoodputChart
          {...{ series, domain, lookOf, ...size }}
          title="Gb/s"
          margin={MARGIN}
          over={<Crosshair {...OVER_TIME} rows={goodputRows(series)} lines={lines} unit="Gb/s" />}
        />
      )}
    </ChartFrame>
  );
}

/** Legend of the shaded part of every time chart. */
export function StartUpKey() {
  return (
    <Swatch fill="var(--startup)" stroke="var(--line-strong)">
      <Term id="startup">warm-up, excluded</Term>
    </Swatch>
  );
}
