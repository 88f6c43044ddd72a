import type { AxisView, CurveView } from '@verbslab/labs';
import { useMemo, type ReactNode } from 'react';
import { Curve, Line, ZIndexLayer, type CurveProps } from 'recharts';
import { xScale, yScale, type AxisScale } from '../data/curve-scales.js';
import { LINE_HEIGHT } from '../data/label-places.js';
import { drawOrder, markerPath, type SeriesLook as SeriesLookOf } from '../data/looks.js';
import { tickOf } from '../data/ticks.js';
import type { LineLook } from '../marks/look.js';
import { EndNames, roomForNames } from '../marks/names.js';
import { Reached, type Mark } from '../marks/reached.js';
import { CHARACTER, XAxis, YAxis } from '../plot/axes.js';
import { columnOf } from '../plot/columns.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Plot, type Margin, type PlotRow } from '../plot/plot.js';

/** Most points of a series that are marked. More would stand too close. */
const MOST_MARKS = 60;
const RADIUS = 2.5;
/** Radius of points that no line connects. */
const ALONE = 4;
/** Pixels between the ranges of two series at one x, which would overlap, and between the outermost of all series. */
const BESIDE = 4;
const ALL_BESIDE = 12;
/** Most names beside the plot, and characters of the longest one. More would take too much of its width. */
const MOST_NAMES = 10;
const LONGEST_NAME = 16;

export type SeriesLook = LineLook & Pick<SeriesLookOf, 'marker' | 'joined'>;
type Point = CurveView['series'][number]['points'][number];

/** Column of a series. The prefix keeps its name apart from the column of x values. */
const columnName = (series: string): string => `y ${series}`;

/** A row per x. A series has no value where it has no point, and null where its point is a hole. */
function mergedRows({ series }: CurveView): PlotRow[] {
  const rows = new Map<number, PlotRow>();
  for (const { name, points } of series)
    for (const { x, y } of points) {
      const row: PlotRow = rows.get(x) ?? { t: x };
      row[columnName(name)] = y;
      rows.set(x, row);
    }
  return [...rows.values()].sort((a, b) => a.t - b.t);
}

const axisTitle = ({ label, unit, log }: AxisView, { scale }: AxisScale): string => {
  const named = unit === '' || unit === 'B' || unit === label.toLowerCase() ? label : `${label}, ${unit}`;
  return log && scale === 'log' ? `${named}, log axis` : named;
};

/** True if the names of the series have room at the ends of their lines. */
export const namedAtEnds = ({ series }: CurveView): boolean =>
  series.length > 1 &&
  series.length <= MOST_NAMES &&
  series.every(({ label }) => label.length <= LONGEST_NAME);

interface CurveChartProps {
  curve: CurveView;
  /** Looks of the series, in the same order. */
  looks: readonly SeriesLook[];
  /** True if the names of the series are drawn at the ends of their lines. */
  named: boolean;
  marks?: readonly Mark[];
  width: number;
  height: number;
  margin: Margin;
  over?: ReactNode;
}

const NO_MARKS: readonly Mark[] = [];

/** A curve of a lab: its series over the same axes, with their spread. */
export function CurveChart(props: CurveChartProps) {
  const { curve, looks, named, marks = NO_MARKS, margin, ...size } = props;
  const x = useMemo(() => xScale(curve), [curve]);
  const y = useMemo(() => yScale(curve), [curve]);
  const ofX = useMemo(() => tickOf(curve.x.show), [curve]);
  const ofY = useMemo(() => tickOf(curve.y.show), [curve]);
  const rows = useMemo(() => mergedRows(curve), [curve]);
  const right = named ? roomForNames(curve.series.map(({ label }) => label)) : margin.right;
  // Marks may need a row each above the plot.
  const top = margin.top + LINE_HEIGHT * marks.length;
  const left = Math.max(margin.left, 14 + CHARACTER * Math.max(...y.ticks.map((tick) => ofY(tick).length)));
  const place = useMemo(() => ({ ...margin, top, right, left }), [margin, top, right, left]);
  const ends = curve.series.flatMap(({ name, label, points }, i) => {
    const end = points.findLast((point) => point.y !== null);
    return end ? [{ key: name, label, ink: looks[i]!.ink, value: end.y! }] : [];
  });
  return (
    <Plot label={curve.label} {...size} margin={place} x={x} y={y} rows={rows}>
      <XAxis ticks={x.ticks} format={ofX} title={axisTitle(curve.x, x)} />
      <YAxis ticks={y.ticks} format={ofY} title={axisTitle(curve.y, y)} />
      {curve.series.map(({ name, points }, i) => (
        <Ranges key={name} points={points} color={looks[i]!.line} aside={asideOf(i, looks.length)} />
      ))}
      {drawOrder(looks.map(({ dash }) => dash)).map((i) => (
        <Series key={curve.series[i]!.name} series={curve.series[i]!} look={looks[i]!} />
      ))}
      <Reached
        marks={marks}
        lookOf={(name) =>
          looks[
            Math.max(
              0,
              curve.series.findIndex((one) => one.name === name),
            )
          ]!
        }
        title={axisTitle(curve.y, y)}
      />
      {named ? <EndNames ends={ends} /> : null}
    </Plot>
  );
}

const asideOf = (i: number, count: number): number =>
  Math.min(BESIDE, ALL_BESIDE / Math.max(1, count - 1)) * (i - (count - 1) / 2);

/** Bars from the minimum to the maximum of the repetitions at each x. */
function Ranges({ points, color, aside }: { points: readonly Point[]; color: string; aside: number }) {
  const { x, y } = usePlot();
  return (
    <ZIndexLayer zIndex={LAYERS.ranges}>
      {points.map(({ x: at, min, max }) => {
        if (min === undefined || max === undefined) return null;
        const [middle, low, high] = [x(at) + aside, y(min), y(max)];
        return (
          <path
            key={at}
            d={`M${middle} ${low}V${high}M${middle - 3} ${low}h6M${middle - 3} ${high}h6`}
            stroke={color}
            strokeOpacity={0.7}
            data-range
          />
        );
      })}
    </ZIndexLayer>
  );
}

/** True for a point between two holes, which no line connects. */
const standsAlone = (points: readonly Point[], i: number): boolean =>
  (points[i - 1]?.y ?? null) === null && (points[i + 1]?.y ?? null) === null;

function Series({
  series: { name, points },
  look,
}: {
  series: CurveView['series'][number];
  look: SeriesLook;
}) {
  const { line, dash, marker, joined } = look;
  const { x, y } = usePlot();
  const crowded = points.filter((point) => point.y !== null).length > MOST_MARKS;
  return (
    <>
      {/* Recharts would draw its own mark for a single point. */}
      {joined && points.length > 1 ? (
        <Line
          dataKey={columnOf(columnName(name))}
          type="linear"
          stroke={line}
          strokeWidth={2}
          {...(dash === undefined ? {} : { strokeDasharray: dash })}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
          shape={(props: CurveProps) => <OwnPoints {...props} column={columnName(name)} />}
          data-line={name}
        />
      ) : null}
      <ZIndexLayer zIndex={LAYERS.lines}>
        {points.map((point, i) =>
          marker === null || point.y === null || (joined && crowded && !standsAlone(points, i)) ? null : (
            <path
              key={point.x}
              d={markerPath(marker, x(point.x), y(point.y), joined ? RADIUS : ALONE)}
              fill={line}
              data-point={name}
            />
          ),
        )}
      </ZIndexLayer>
    </>
  );
}

/** The line of a series through its own points. It has no gap where only another series has a point. */
function OwnPoints({ points, column, ...props }: CurveProps & { column: string }) {
  const own = points?.filter(
    (point) => 'payload' in point && Object.hasOwn(point.payload as PlotRow, column),
  );
  return <Curve {...props} {...(own ? { points: own } : {})} />;
}
