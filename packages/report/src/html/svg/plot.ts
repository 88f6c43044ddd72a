import { markerPath, SCALES, tickText, type Domain, type Marker, type Scale } from '@verbslab/charts/data';
import { el, type Child, type Markup } from '../markup.js';

const WIDTH = 720;
/** Room for figures and titles of the axes, pixels. */
const LEFT = 76;
const RIGHT = 20;
const TOP = 26;
const BOTTOM = 40;
/** Width of a character of the charts' type. */
export const CHARACTER = 7.3;

export interface Axis {
  domain: Domain;
  ticks: readonly number[];
  scale?: 'linear' | 'log';
  title: string;
  format?: (value: number) => string;
}

export interface Area {
  x: Scale;
  y: Scale;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** As many figures as have room beside each other, with their places: all of each is within the chart. */
function roomy({ ticks, format = tickText }: Axis, x: Scale): { text: string; at: number }[] {
  let edge = -Infinity;
  return ticks.flatMap((tick) => {
    const text = format(tick);
    const half = (CHARACTER * text.length) / 2;
    const at = Math.min(x(tick), WIDTH - half);
    if (at - half < edge + 10) return [];
    edge = at + half;
    return [{ text, at }];
  });
}

/** A chart as SVG: axes with their figures, and what `draw` puts between them. */
export function plot(
  label: string,
  axes: { x: Axis; y: Axis },
  draw: (area: Area) => Child,
  height = 260,
  /** Over what is drawn, and not cut off at the axes. */
  names: (area: Area) => Child = () => null,
): Markup {
  const area: Area = {
    left: LEFT,
    top: TOP,
    width: WIDTH - LEFT - RIGHT,
    height: height - TOP - BOTTOM,
    x: SCALES[axes.x.scale ?? 'linear'](axes.x.domain, [LEFT, WIDTH - RIGHT]),
    y: SCALES[axes.y.scale ?? 'linear'](axes.y.domain, [height - BOTTOM, TOP]),
  };
  const foot = area.top + area.height;
  const { format: yText = tickText } = axes.y;
  return el(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label },
    ...axes.y.ticks.flatMap((tick) => [
      el('path', { d: `M${area.left} ${area.y(tick).toFixed(1)}h${area.width}`, class: 'grid' }),
      el('text', { x: area.left - 8, y: (area.y(tick) + 4).toFixed(1), 'text-anchor': 'end' }, yText(tick)),
    ]),
    el('text', { x: 8, y: 12 }, axes.y.title),
    el(
      'svg',
      {
        // What lies beyond the axes is not drawn.
        x: area.left - 2,
        y: area.top - 2,
        width: area.width + 4,
        height: area.height + 4,
        viewBox: `${area.left - 2} ${area.top - 2} ${area.width + 4} ${area.height + 4}`,
      },
      draw(area),
    ),
    names(area),
    el('path', { d: `M${area.left} ${foot}h${area.width}`, class: 'foot' }),
    ...roomy(axes.x, area.x).map(({ text, at }) =>
      el('text', { x: at.toFixed(1), y: foot + 16, 'text-anchor': 'middle' }, text),
    ),
    el('text', { x: area.left + area.width / 2, y: foot + 34, 'text-anchor': 'middle' }, axes.x.title),
  );
}

export interface KeyItem {
  name: string;
  /** A class of the style sheet, for the color of the line or of the area. */
  color: string;
  dash?: string | undefined;
  marker?: Marker;
  fill?: boolean;
}

/** What the lines and areas of a chart are. */
export function key(items: readonly KeyItem[]): Markup {
  return el(
    'ul',
    { class: 'key' },
    ...items.map(({ name, color, dash, marker = 'circle', fill = false }) =>
      el(
        'li',
        {},
        el(
          'svg',
          { width: 22, height: 10, 'aria-hidden': 'true', class: 'swatch' },
          fill
            ? el('rect', { width: 22, height: 10, class: `fill ${color}` })
            : el('path', { d: 'M0 5H22', class: `line ${color}`, 'stroke-dasharray': dash }),
          // Of most charts each line has its own color, and all have dots.
          fill || marker === 'circle'
            ? null
            : el('path', { d: markerPath(marker, 11, 5, 3), class: `fill ${color}` }),
        ),
        name,
      ),
    ),
  );
}
