'use client';
import type { Transport } from '@verbslab/protocol';
import {
  axisTicks,
  CPU_KEYS,
  cpuRows,
  cpuTop,
  overlapping,
  type SeriesView,
  steadyDomain,
} from '@verbslab/charts/data';
import { useTransportName } from './transport-names';
import { MARGIN, TimeAxis, YAxis } from './axes';
import { CPU_COLOUR } from './colours';
import { CpuCurves } from './curves';
import { OVER_TIME } from './goodput-chart';
import { StartUps, StartUpVeils } from './layers';
import { Plot } from './plot';

const LINES = [...CPU_KEYS]
  .reverse()
  .map((k) => ({ key: k, name: CPU_COLOUR[k].name, colour: CPU_COLOUR[k].fill }));

/** CPU of both ends in cores, stacked. Transports that ran at once get a chart each, on one scale. */
export function CpuChart({ series, live }: { series: SeriesView; live: boolean }) {
  const nameOf = useTransportName();
  const charts: (Transport | null)[] = overlapping(series) ? series.transports : [null];
  const ticks = axisTicks([cpuTop(series)], charts.length > 1 ? 2 : 4, 1);
  const domain = steadyDomain(series.domain, live);
  return (
    <div className="flex h-full flex-col">
      {charts.map((transport) => {
        const name = transport ? nameOf(transport) : null;
        const rows = cpuRows(series, transport);
        return (
          <div key={transport ?? 'all'} className="min-h-0 flex-1">
            <Plot
              label={name ? `CPU of ${name} over run time` : 'CPU over run time'}
              margin={MARGIN}
              xDomain={domain}
              yDomain={[0, ticks.at(-1)!]}
              crosshair={{ ...OVER_TIME, rows, lines: LINES, unit: 'cores' }}
            >
              <StartUps list={series.startUps} domain={domain} />
              <TimeAxis domain={domain} />
              <YAxis ticks={ticks} title={name ? `cores, ${name}` : 'cores'} />
              <CpuCurves series={series} rows={rows} transport={transport} />
              <StartUpVeils list={series.startUps} domain={domain} />
            </Plot>
          </div>
        );
      })}
    </div>
  );
}
