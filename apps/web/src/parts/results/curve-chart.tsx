'use client';
import type { CurveView } from '@verbslab/labs';
import {
  drawOrder,
  LINE_HEIGHT,
  linePath,
  markerPath,
  rowsAbove,
  xScale,
  yScale,
  type AxisScale,
  type ChartRow,
} from '@verbslab/charts/data';
import { useMemo, useRef } from 'react';
import { useWidth } from '../../ui/use-width';
import { CHARACTER, MARGIN, TITLE_ABOVE, XAxis, YAxis, titleRange } from '../charts/axes';
import { Clip } from '../charts/curves';
import { Plot } from '../charts/plot';
import { usePlot } from '../charts/plot-context';
import type { CrosshairRow } from '../charts/crosshair';
import { EndNames } from '../charts/end-names';
import { seriesStyles, type SeriesStyle } from './series-style';

/** Points beyond this many stand too close for marks. */
const MOST_MARKS = 60;
const RADIUS = 2.5;
/** px between the ranges of two series at one x, which would lie on each other; and of all of them at most. */
const BESIDE = 4;
const ALL_BESIDE = 12;
/** rem. */
const WIDE = 34;
/** Least room left of the plot for the figures of the y axis. */
const LEFT = 64;
/** How far the label of a mark may reach beyond the end of the x axis. */
const MARK_BEYOND = 16;
/** More names than these do not fit beside the plot. */
const MOST_NAMES = 10;

const axisTitle = ({ label, unit, log }: CurveView['x'], scale: AxisScale): string => {
  const named = unit === '' || unit === 'B' ? label : `${label}, ${unit}`;
  return log && scale.scale === 'log' ? `${named}, log axis` : named;
};

/** A place on the x axis that one or more series reached. */
export interface Mark {
  /** Of the series. */
  names: readonly string[];
  x: number;
  label: string;
}

const NO_MARKS: readonly Mark[] = [];

interface CurveChartProps {
  curve: CurveView;
  marks?: readonly Mark[];
  /** Opens what is behind the points at an x. */
  onOpen?: (x: number) => void;
}

/** One curve of a lab: its series over the same axes, with their spread, and their names at their ends or above. */
export function CurveChart({ curve, marks = NO_MARKS, onOpen }: CurveChartProps) {
  const x = xScale(curve);
  const y = yScale(curve);
  const rows = useMemo(() => mergedRows(curve), [curve]);
  const styles = stylesOf(curve);
  const lines = curve.series.map(({ name, label }, i) => ({
    key: name,
    name: label,
    colour: styles[i]!.line,
    dot: true,
  }));
  const longest = Math.max(0, ...curve.series.map(({ label }) => label.length));
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place) ?? 0;
  // Names at the ends of the lines cost width: long ones, and all on a narrow page, stand above.
  const atEnds =
    curve.series.length > 1 && curve.series.length <= MOST_NAMES && longest <= 16 && width >= WIDE;
  // Each mark may need a row of its own above the plot.
  const top = MARGIN.top + LINE_HEIGHT * marks.length;
  const left = Math.max(LEFT, 14 + CHARACTER * Math.max(...y.ticks.map((tick) => curve.y.show(tick).length)));
  const margin = useMemo(
    () => ({ ...MARGIN, top, left, right: atEnds ? 14 + CHARACTER * longest : 24 }),
    [atEnds, longest, top, left],
  );
  return (
    <div ref={place} className="flex h-full flex-col">
      {curve.series.length > 1 && !atEnds ? <Key curve={curve} styles={styles} /> : null}
      <div className="min-h-0 flex-1">
        <Plot
          label={curve.label}
          margin={margin}
          xDomain={x.domain}
          yDomain={y.domain}
          xScale={x.scale}
          yScale={y.scale}
          crosshair={{
            group: `curve ${curve.name}`,
            by: 't',
            rows,
            lines,
            unit: curve.y.unit,
            title: ({ t }: CrosshairRow) => `${curve.x.label} ${axisText(curve.x, t!)}`,
            ...(onOpen ? { onOpen: ({ t }: CrosshairRow) => onOpen(t!) } : {}),
          }}
        >
          <YAxis ticks={y.ticks} title={axisTitle(curve.y, y)} format={curve.y.show} />
          <RoomyXAxis ticks={x.ticks} format={curve.x.show} title={axisTitle(curve.x, x)} />
          {drawOrder(styles.map(({ dash }) => dash)).map((i) => (
            <Series
              key={curve.series[i]!.name}
              series={curve.series[i]!}
              style={styles[i]!}
              aside={asideOf(i, styles.length)}
            />
          ))}
          <Marks curve={curve} marks={marks} title={axisTitle(curve.y, y)} />
          {atEnds ? <EndNames ends={endsOf(curve, styles)} /> : null}
        </Plot>
      </div>
    </div>
  );
}

export const stylesOf = ({ series }: CurveView): SeriesStyle[] =>
  seriesStyles(series.map(({ name }) => name));

const axisText = ({ unit, show }: CurveView['x'], value: number): string =>
  unit === '' || unit === 'B' ? show(value) : `${show(value)} ${unit}`;

/** One row for each x, for the crosshair. */
function mergedRows({ series }: CurveView): ChartRow[] {
  const rows = new Map<number, ChartRow>();
  for (const { name, points } of series)
    for (const point of points) {
      const row: ChartRow = rows.get(point.x) ?? { t: point.x };
      if (point.y !== null) row[name] = point.y;
      rows.set(point.x, row);
    }
  return [...rows.values()].sort((a, b) => a.t - b.t);
}

/** As many figures as have room. */
function RoomyXAxis({
  ticks,
  format,
  title,
}: {
  ticks: readonly number[];
  format: (v: number) => string;
  title: string;
}) {
  const { x } = usePlot();
  const shown: number[] = [];
  let edge = -Infinity;
  for (const tick of ticks) {
    const half = (CHARACTER * format(tick).length) / 2;
    if (x(tick) - half < edge + 10) continue;
    shown.push(tick);
    edge = x(tick) + half;
  }
  return <XAxis ticks={shown} format={format} title={title} />;
}

export function Series({
  series: { points },
  style: { line, dash, marker },
  aside = 0,
}: {
  series: CurveView['series'][number];
  style: SeriesStyle;
  /** How far from its point a range is drawn, px. */
  aside?: number;
}) {
  const { x, y } = usePlot();
  const crowded = points.filter((point) => point.y !== null).length > MOST_MARKS;
  const rows = points.map((point): ChartRow => ({ t: point.x, ...(point.y === null ? {} : { y: point.y }) }));
  return (
    <>
      {points.map(({ x: at, min, max }) =>
        min === undefined || max === undefined ? null : (
          <path
            key={at}
            d={`M${x(at) + aside} ${y(min)}V${y(max)}M${x(at) + aside - 3} ${y(min)}h6M${x(at) + aside - 3} ${y(max)}h6`}
            stroke={line}
            strokeOpacity={0.7}
          />
        ),
      )}
      <Clip>
        <path
          d={linePath(rows, 'y', x, y)}
          fill="none"
          stroke={line}
          strokeDasharray={dash}
          strokeWidth={2}
        />
        {points.map((point, i) =>
          point.y === null || (crowded && !standsAlone(points, i)) ? null : marker === 'circle' ? (
            <circle key={point.x} cx={x(point.x)} cy={y(point.y)} r={RADIUS} fill={line} />
          ) : (
            <path key={point.x} d={markerPath(marker, x(point.x), y(point.y), RADIUS)} fill={line} />
          ),
        )}
      </Clip>
    </>
  );
}

const asideOf = (i: number, count: number): number =>
  Math.min(BESIDE, ALL_BESIDE / Math.max(1, count - 1)) * (i - (count - 1) / 2);

/** A point between two holes has no line. */
const standsAlone = (points: CurveView['series'][number]['points'], i: number): boolean =>
  (points[i - 1]?.y ?? null) === null && (points[i + 1]?.y ?? null) === null;

/** Lines down through the chart, their labels above it. */
export function Marks({ curve, marks, title }: { curve: CurveView; marks: readonly Mark[]; title: string }) {
  const { x, area } = usePlot();
  const all = stylesOf(curve);
  const places = rowsAbove(
    marks.map((mark) => ({ at: x(mark.x), width: CHARACTER * mark.label.length })),
    [area.x, area.x + area.width + MARK_BEYOND],
    titleRange(area, title),
  );
  return marks.map(({ names, x: at, label }, i) => {
    const styles = names.map(
      (name) =>
        all[
          Math.max(
            0,
            curve.series.findIndex((one) => one.name === name),
          )
        ]!,
    );
    const { left, row } = places[i]!;
    const foot = area.y - TITLE_ABOVE - row * LINE_HEIGHT;
    return (
      <g key={names.join(' ')} data-mark={names.join(' ')}>
        {styles.map(({ line }, which) => (
          <path
            key={names[which]}
            d={`M${x(at)} ${area.y}v${area.height}`}
            stroke={line}
            strokeDasharray={`2 ${6 * styles.length - 2}`}
            strokeDashoffset={-6 * which}
          />
        ))}
        <path d={`M${x(at) - 4} ${area.y - 6}h8l-4 6z`} style={{ fill: styles[0]?.ink }} />
        <text x={left} y={foot} style={{ fill: styles.length === 1 ? styles[0]!.ink : 'var(--ink-2)' }}>
          {label}
        </text>
      </g>
    );
  });
}

/** Where each line ends. */
const endsOf = ({ series }: CurveView, styles: readonly SeriesStyle[]) =>
  series.flatMap(({ name, label, points }, i) => {
    const end = points.findLast((point) => point.y !== null);
    return end ? [{ key: name, label, ink: styles[i]!.ink, value: end.y! }] : [];
  });

function Key({ curve, styles }: { curve: CurveView; styles: readonly SeriesStyle[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 px-2 text-13" data-words>
      {curve.series.map(({ name, label }, i) => {
        const { line, dash, marker } = styles[i]!;
        return (
          <li key={name} className="flex items-center gap-1.5">
            <svg width="22" height="8" aria-hidden>
              <path d="M0 4H22" stroke={line} strokeWidth={2} strokeDasharray={dash} />
              {marker === 'circle' ? null : <path d={markerPath(marker, 11, 4, 3)} fill={line} />}
            </svg>
            {label}
          </li>
        );
      })}
    </ul>
  );
}
