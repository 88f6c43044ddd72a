import type { AxisView, CurveView } from '@verbslab/labs';
import {
  drawOrder,
  linePath,
  markerPath,
  seriesLooks,
  xScale,
  yScale,
  type AxisScale,
  type ChartRow,
  type SeriesLook,
} from '@verbslab/charts/data';
import { el, type Child } from '../markup.js';
import { key, plot, type Area, type Axis } from './plot.js';

/** Points beyond this many stand too close for marks. */
const MOST_MARKS = 60;

type Points = CurveView['series'][number]['points'];

function axisOf(view: AxisView, scale: AxisScale): Axis {
  const named = view.unit === '' || view.unit === 'B' ? view.label : `${view.label}, ${view.unit}`;
  return {
    ...scale,
    title: scale.scale === 'log' ? `${named}, log axis` : named,
    format: view.show,
  };
}

/** From the least to the greatest of the repetitions. */
const spreads = (points: Points, { color }: SeriesLook, { x, y }: Area): Child =>
  points.map(({ x: at, min, max }) => {
    if (min === undefined || max === undefined) return null;
    const [left, low, high] = [(x(at) - 4).toFixed(1), y(min).toFixed(1), y(max).toFixed(1)];
    return el('path', {
      d: `M${x(at).toFixed(1)} ${low}V${high}M${left} ${low}h8M${left} ${high}h8`,
      class: `thin ${color}`,
    });
  });

const RADIUS = 2.5;

const dots = (points: Points, { color, marker }: SeriesLook, { x, y }: Area): Child =>
  points.map((point) =>
    point.y === null || points.length > MOST_MARKS
      ? null
      : marker === 'circle'
        ? el('circle', {
            cx: x(point.x).toFixed(1),
            cy: y(point.y).toFixed(1),
            r: RADIUS,
            class: `fill ${color}`,
          })
        : el('path', { d: markerPath(marker, x(point.x), y(point.y), RADIUS), class: `fill ${color}` }),
  );

function line(points: Points, { color, dash }: SeriesLook, { x, y }: Area): Child {
  const rows = points.map((point): ChartRow => ({
    t: point.x,
    ...(point.y === null ? {} : { y: point.y }),
  }));
  return el('path', { d: linePath(rows, 'y', x, y), class: `line ${color}`, 'stroke-dasharray': dash });
}

/** A curve of a lab: its series over the same axes, with their spread. Null where it has no point. */
export function curveChart(curve: CurveView): Child {
  if (curve.series.every(({ points }) => points.length === 0)) return null;
  const looks = seriesLooks(curve.series.map(({ name }) => name));
  const drawn = curve.series.map(({ label, points }, i) => ({ label, points, look: looks[i]! }));
  const ordered = drawOrder(looks.map(({ dash }) => dash)).map((i) => drawn[i]!);
  const axes = { x: axisOf(curve.x, xScale(curve)), y: axisOf(curve.y, yScale(curve)) };
  return [
    drawn.length > 1 ? key(drawn.map(({ label, look }) => ({ name: label, ...look }))) : null,
    plot(curve.label, axes, (area) =>
      ordered.map(({ points, look }) => [
        spreads(points, look, area),
        line(points, look, area),
        dots(points, look, area),
      ]),
    ),
  ];
}
