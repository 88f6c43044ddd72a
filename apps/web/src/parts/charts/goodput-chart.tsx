'use client';
import { TRANSPORTS } from '@verbslab/protocol';
import { axisTicks, goodputRows, goodputTop, type SeriesView, steadyDomain } from '@verbslab/charts/data';
import { sig3 } from '../../format/number';
import { useTransportColour, useTransportName } from './transport-names';
import { MARGIN, TimeAxis, YAxis } from './axes';
import type { CrosshairRow } from './crosshair';
import { GoodputCurves } from './curves';
import { StartUps, StartUpVeils } from './layers';
import { Plot } from './plot';

/** What all charts over run time share: their crosshair is one. */
export const OVER_TIME = { group: 'run', by: 't', title: (row: CrosshairRow) => `${sig3(row.t)} s` };

/** Goodput of each transport over run time, from zero; the lines carry their names. */
export function GoodputChart({ series, live }: { series: SeriesView; live: boolean }) {
  const nameOf = useTransportName();
  const colourOf = useTransportColour();
  const lines = TRANSPORTS.map((t) => ({ key: t, name: nameOf(t), colour: colourOf(t).line, dot: true }));
  const rows = goodputRows(series);
  const ticks = axisTicks([goodputTop(series)]);
  const domain = steadyDomain(series.domain, live);
  return (
    <Plot
      label="Goodput over run time"
      margin={MARGIN}
      xDomain={domain}
      yDomain={[0, ticks.at(-1)!]}
      crosshair={{ ...OVER_TIME, rows, lines, unit: 'Gb/s' }}
    >
      <StartUps list={series.startUps} domain={domain} />
      <TimeAxis domain={domain} />
      <YAxis ticks={ticks} title="Gb/s" />
      <GoodputCurves series={series} rows={rows} />
      <StartUpVeils list={series.startUps} domain={domain} />
    </Plot>
  );
}
