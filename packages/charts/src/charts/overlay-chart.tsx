import { useMemo, type ReactNode } from 'react';
import { axisTicks, type ChartRow } from '../data/chart-rows.js';
import type { Domain } from '../data/scales.js';
import type { Hole } from '../data/series-view.js';
import { timeTicks } from '../data/ticks.js';
import { Holes } from '../marks/holes.js';
import type { LineLook } from '../marks/look.js';
import { EndNames, roomForNames } from '../marks/names.js';
import { StartUps } from '../marks/start-ups.js';
import { ValueLine } from '../marks/value-line.js';
import { XAxis, YAxis } from '../plot/axes.js';
import { Plot, type Margin } from '../plot/plot.js';
import { fromZero } from './goodput-chart.js';

/** A line in a chart of several, distinguished by its name and its dashes. */
export interface OverlayLine extends LineLook {
  /** Column of its values in the rows. */
  key: string;
  /** Column of its values during a warm-up. */
  warmKey: string;
}

interface OverlayChartProps {
  label: string;
  unit: string;
  lines: readonly OverlayLine[];
  rows: readonly ChartRow[];
  holes: readonly Hole[];
  holeValue: (hole: Hole) => number;
  domain: Domain;
  /** Seconds of warm-up before time 0. */
  warmUp: number;
  /** The largest value. */
  top: number;
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

/** Several lines over the time since measuring began, from zero. */
export function OverlayChart(props: OverlayChartProps) {
  const { label, unit, lines, rows, holes, holeValue, domain, warmUp, top, margin, ...size } = props;
  const ticks = axisTicks([top], 4);
  const right = roomForNames(lines.map(({ name }) => name));
  const place = useMemo(() => ({ ...margin, right }), [margin, right]);
  const ends = lines.flatMap(({ key, name, ink }) => {
    const value = rows.findLast((row) => row[key] !== undefined)?.[key];
    return value === undefined ? [] : [{ key, label: name, ink, value }];
  });
  return (
    <Plot
      label={label}
      {...size}
      margin={place}
      x={{ domain, scale: 'linear' }}
      y={fromZero(ticks)}
      rows={rows}
    >
      <XAxis ticks={timeTicks(domain)} title="time since measuring began, s" />
      <YAxis ticks={ticks} title={unit} />
      <StartUps list={warmUp > 0 ? [{ from: -warmUp, to: 0 }] : []} />
      <Holes holes={holes} value={holeValue} colorOf={(transport) => `var(--${transport})`} />
      {lines.map(({ key, warmKey, line, dash }) => [
        <ValueLine key={key} of={key} color={line} dash={dash} />,
        <ValueLine key={warmKey} of={warmKey} color={line} dash={dash} faint />,
      ])}
      <EndNames ends={ends} />
    </Plot>
  );
}
