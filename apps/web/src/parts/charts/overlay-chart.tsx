'use client';
import {
  axisTicks,
  type ChartRow,
  type Domain,
  type Hole,
  linePath,
  tickText,
  timeTicks,
} from '@verbslab/charts/data';
import { useMemo } from 'react';
import { sig3 } from '../../format/number';
import { CHARACTER, MARGIN, XAxis, YAxis } from './axes';
import type { CrosshairRow } from './crosshair';
import { Clip } from './curves';
import { EndNames } from './end-names';
import { Holes, StartUps, StartUpVeils } from './layers';
import { Plot } from './plot';
import { usePlot } from './plot-context';

/** A line of several in one chart, told from the others by its name and its dashes. */
export interface OverlayLine {
  /** Its values in the rows. */
  key: string;
  /** The key of its values during a warm-up. */
  warmKey: string;
  name: string;
  colour: string;
  ink: string;
  dash: string | undefined;
}

interface OverlayChartProps {
  /** What the chart shows, for those who do not see it. */
  label: string;
  unit: string;
  lines: readonly OverlayLine[];
  rows: readonly ChartRow[];
  holes: readonly Hole[];
  holeValue: (hole: Hole) => number;
  domain: Domain;
  /** Seconds of warm-up before time 0. */
  warmUp: number;
  top: number;
  /** Charts with the same group share their crosshair. */
  group: string;
}

/** Several lines over the time since measuring began, from zero. */
export function OverlayChart(props: OverlayChartProps) {
  const { label, unit, lines, rows, holes, holeValue, domain, warmUp, top, group } = props;
  const ticks = axisTicks([top], 4);
  const longest = Math.max(1, ...lines.map(({ name }) => name.length));
  const margin = useMemo(() => ({ ...MARGIN, right: 14 + CHARACTER * longest }), [longest]);
  const startUps = warmUp > 0 ? [{ transport: 'rdma' as const, from: -warmUp, to: 0 }] : [];
  const tips = lines.flatMap(({ key, warmKey, name, colour }) => [
    { key, name, colour, dot: true },
    { key: warmKey, name: `${name}, warm-up`, colour, dot: true },
  ]);
  return (
    <Plot
      label={label}
      margin={margin}
      xDomain={domain}
      yDomain={[0, ticks.at(-1)!]}
      crosshair={{
        ...{ group, by: 't', rows, lines: tips, unit },
        title: ({ t }: CrosshairRow) => `${sig3(t)} s`,
      }}
    >
      <StartUps list={startUps} domain={domain} />
      <XAxis ticks={timeTicks(domain)} format={tickText} title="time since measuring began, s" />
      <YAxis ticks={ticks} title={unit} />
      <Lines lines={lines} rows={rows} holes={holes} holeValue={holeValue} />
      <StartUpVeils list={startUps} domain={domain} />
      <EndNames ends={endsOf(lines, rows)} />
    </Plot>
  );
}

const endsOf = (lines: readonly OverlayLine[], rows: readonly ChartRow[]) =>
  lines.flatMap(({ key, name, ink }) => {
    const value = rows.findLast((row) => row[key] !== undefined)?.[key];
    return value === undefined ? [] : [{ key, label: name, ink, value }];
  });

function Lines(props: Pick<OverlayChartProps, 'lines' | 'rows' | 'holes' | 'holeValue'>) {
  const { lines, rows, holes, holeValue } = props;
  const { x, y } = usePlot();
  return (
    <Clip>
      <Holes holes={holes} value={holeValue} />
      {lines.map(({ key, warmKey, colour, dash }) => (
        <g key={key} fill="none" stroke={colour} strokeWidth={2} strokeDasharray={dash} data-line={key}>
          <path d={linePath(rows, key, x, y)} />
          <path d={linePath(rows, warmKey, x, y)} strokeOpacity={0.4} />
        </g>
      ))}
    </Clip>
  );
}
