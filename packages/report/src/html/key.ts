import { el, type Markup } from './markup.js';
import { KEY_WIDTH, keyMark, type Marker } from '@verbslab/charts/data';

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
    ...items.map(({ name, color, dash, marker = 'circle', joined = true, fill = false }) => {
      const mark = fill ? null : keyMark({ marker, joined }, 5);
      return el(
        'li',
        {},
        el(
          'svg',
          { width: KEY_WIDTH, height: 10, 'aria-hidden': 'true', class: 'swatch' },
          fill ? el('rect', { width: KEY_WIDTH, height: 10, class: `fill ${color}` }) : null,
          !fill && joined
            ? el('path', { d: `M0 5H${KEY_WIDTH}`, class: `line ${color}`, 'stroke-dasharray': dash })
            : null,
          mark === null ? null : el('path', { d: mark, class: `fill ${color}` }),
        ),
        name,
      );
    }),
  );
}
