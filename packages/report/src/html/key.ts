import { el, type Markup } from './markup.js';
import { markerPath, type Marker } from '@verbslab/charts/data';

export interface KeyItem {
  name: string;
  /** Class of the style sheet for the color of the line or area. */
  color: string;
  dash?: string | undefined;
  /** Shape of the points; null: none are drawn. */
  marker?: Marker | null;
  /** False if no line connects the points. */
  joined?: boolean;
  fill?: boolean;
}

/** Key to the lines and areas of a chart. */
export function key(items: readonly KeyItem[]): Markup {
  return el(
    'ul',
    { class: 'key' },
    ...items.map(({ name, color, dash, marker = 'circle', joined = true, fill = false }) =>
      el(
        'li',
        {},
        el(
          'svg',
          { width: 22, height: 10, 'aria-hidden': 'true', class: 'swatch' },
          fill
            ? el('rect', { width: 22, height: 10, class: `fill ${color}` })
            : joined
              ? el('path', { d: 'M0 5H22', class: `line ${color}`, 'stroke-dasharray': dash })
              : null,
          // Most charts have dots only and a color per line, so the key shows no marker.
          fill || marker === null || (joined && marker === 'circle')
            ? null
            : el('path', { d: markerPath(marker, 11, 5, joined ? 3 : 4), class: `fill ${color}` }),
        ),
        name,
      ),
    ),
  );
}
