import type { Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { axisTicks, goodputRows, goodputTop, overlapping, stretches } from '../data/chart-rows.js';
import type { Domain } from '../data/scales.js';
import type { SeriesView } from '../data/series-view.js';
import { tickText, timeTicks } from '../data/ticks.js';
import { Holes } from '../marks/holes.js';
import type { LineLook } from '../marks/look.js';
import { LineName, StretchNames } from '../marks/names.js';
import { StartUps } from '../marks/start-ups.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import type { PlotAxis } from '../plot/plot-context.js';
import { Plot, type Margin } from '../plot/plot.js';

/** Properties that all charts over run time share. */
export interface OverTimeProps {
  series: SeriesView;
  /** The whole x axis, seconds. */
  domain: Domain;
  lookOf: (transport: Transport) => LineLook;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

export function TimeAxis({ domain }: { domain: Domain }) {
  return <XAxis ticks={timeTicks(domain)} format={tickText} title="run time, s" />;
}

/** A linear axis from zero to the last tick. */
export const fromZero = (ticks: readonly number[]): PlotAxis => ({
  domain: [0, ticks.at(-1)!],
  scale: 'linear',
});

/** Goodput of each transport over run time, from zero. The lines carry their names. */
export function GoodputChart({ series, domain, lookOf, title, ...size }: OverTimeProps & { title: string }) {
  const ticks = axisTicks([goodputTop(series)]);
  const rows = goodputRows(series);
  const inTurn = series.transports.length > 1 && !overlapping(series);
  return (
    <Plot
      label="Goodput over run time"
      {...size}
      x={{ domain, scale: 'linear' }}
      y={fromZero(ticks)}
      rows={rows}
    >
      <TimeAxis domain={domain} />
      <YAxis ticks={ticks} title={title} named={inTurn} />
      <StartUps list={series.startUps} />
      <Holes
        holes={series.holes}
        value={({ sample }) => sample.gbps}
        colorOf={(transport) => lookOf(transport).line}
      />
      {series.transports.map((transport) => (
        <ValueLine
          key={transport}
          of={transport}
          color={lookOf(transport).line}
          dash={lookOf(transport).dash}
        />
      ))}
      {/* Transports in turn: a line ends where the next begins, so the names stand above the stretches. */}
      {inTurn ? <StretchNames list={stretches(series)} lookOf={lookOf} /> : null}
      {series.transports.map((transport) => {
        const end = inTurn ? undefined : rows.findLast((row) => row[transport] !== undefined);
        return end ? (
          <LineName key={transport} look={lookOf(transport)} t={end.t} value={end[transport]!} />
        ) : null;
      })}
    </Plot>
  );
}
